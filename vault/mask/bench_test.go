package mask

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"chaperone/vault"
)

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

func secretsFor(n int) []vault.Secret {
	r := rand.New(rand.NewPCG(1, 2))
	var list []vault.Secret
	for i := range n {
		b := make([]byte, 8+r.IntN(24))
		for j := range b {
			if b[j] = letters[r.IntN(len(letters))]; j > 8 && r.IntN(8) == 0 {
				b[j] = "-_.!@#$&"[r.IntN(8)]
			}
		}
		list = append(list, vault.NewSecret(fmt.Sprintf("SECRET_%d", i), string(b)))
	}
	return list
}

func many(n int) *Mask { return New(secretsFor(n)) }

var words = strings.Fields("the quick brown fox jumps over lazy dog account settings password secret login sign in your order total price €49.90 Größe café navigation main content footer privacy policy 2024 1,234 John Smith support@example.com customer invoice payment method token session")

// clean are texts such as leave, without a value.
func clean(size int) map[string]string {
	r := rand.New(rand.NewPCG(3, 4))
	say := func(n int) string {
		var w []string
		for range 1 + r.IntN(n) {
			w = append(w, words[r.IntN(len(words))])
		}
		return strings.Join(w, " ")
	}
	out := map[string]string{}
	grow := func(name string, more func(i int) string) {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			b.WriteString(more(i))
		}
		out[name] = b.String()
	}
	grow("snapshot", func(i int) string {
		switch r.IntN(3) {
		case 0:
			return fmt.Sprintf("%stext: %s\n", strings.Repeat("  ", r.IntN(6)), say(12))
		case 1:
			return fmt.Sprintf("%slink \"%s\" [ref=e%d]\n", strings.Repeat("  ", r.IntN(6)), say(5), i)
		}
		return fmt.Sprintf("%stextbox \"%s\" [ref=e%d] [data-testid=\"field-%d\"] [value=\"%s\"]\n", strings.Repeat("  ", r.IntN(6)), say(3), i, i, say(3))
	})
	grow("html", func(i int) string {
		return fmt.Sprintf("<div class=\"row item-%d\" data-id=\"%d\"><a href=\"/products/%d?ref=list&amp;page=2\">%s</a> <span title=\"%s\">%s</span></div>\n", i%7, i, r.IntN(1e6), say(5), say(3), say(20))
	})
	grow("prose", func(int) string { return say(40) + ".\n" })
	grow("urls", func(i int) string {
		return fmt.Sprintf("GET https://app.example.com/api/v2/items/%d?filter=name%%3Dfoo%%26sort%%3Dasc&next=%%2Fhome%%2Finbox 200 %dms\n", i, r.IntN(900))
	})
	grow("code", func(i int) string {
		return fmt.Sprintf("function handle%d(e){if(e.key===\"%s\"){return \"line\\n\\ttab\"+'%s'.replace(/\\s+/g,'');}}\n", i, say(1), say(4))
	})
	doc := func(i int) map[string]any {
		return map[string]any{"requestId": fmt.Sprintf("r%d", i), "method": "GET", "url": fmt.Sprintf("https://app.example.com/api/items/%d", i), "status": 200, "ms": r.IntN(500), "type": "xhr", "text": say(8)}
	}
	grow("json", func(i int) string { b, _ := json.Marshal(doc(i)); return string(b) + "\n" })
	b := make([]byte, size*3/4)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	out["base64"] = base64.StdEncoding.EncodeToString(b)
	return out
}

func BenchmarkText(b *testing.B) {
	m := many(32)
	for name, s := range clean(1 << 20) {
		b.Run(name, func(b *testing.B) { cpu(b, len(s), func() { m.Text(s) }) })
	}
}

// documents are results as tools give them.
func documents(size int) map[string][]byte {
	texts := clean(size)
	out := map[string][]byte{}
	var list []json.RawMessage
	for line := range strings.Lines(texts["json"]) {
		list = append(list, json.RawMessage(line))
	}
	for name, v := range map[string]map[string]any{
		"requests": {"requests": list},
		"tree":     {"ok": true, "snapshotDelta": map[string]any{"tree": texts["snapshot"]}},
		"body":     {"ok": true, "body": texts["html"]},
	} {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false) // as the door writes it
		_ = e.Encode(v)
		out[name] = b.Bytes()
	}
	return out
}

func BenchmarkJSON(b *testing.B) {
	m := many(32)
	for name, doc := range documents(1 << 20) {
		b.Run(name, func(b *testing.B) { cpu(b, len(doc), func() { m.JSON(doc) }) })
	}
}

// BenchmarkResult is what a result of usual size gains.
func BenchmarkResult(b *testing.B) {
	m := many(32)
	docs, texts := documents(6<<10), clean(6<<10)
	for name, doc := range docs {
		b.Run(name, func(b *testing.B) { cpu(b, len(doc), func() { m.JSON(doc) }) })
	}
	b.Run("snapshot", func(b *testing.B) { cpu(b, 6<<10, func() { m.Text(texts["snapshot"]) }) })
	_ = secretsFor(32)[3].Use(func(v string) error {
		hit := strings.Replace(texts["snapshot"], "password", v, 1)
		if m.Text(hit) == hit {
			b.Fatal("not found")
		}
		b.Run("hit", func(b *testing.B) { cpu(b, len(hit), func() { m.Text(hit) }) })
		return nil
	})
}

func BenchmarkNew(b *testing.B) {
	list := secretsFor(32)
	cpu(b, 0, func() { New(list) })
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	m := New(list)
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc), "B/held")
	runtime.KeepAlive(m)
}

func BenchmarkNothing(b *testing.B) {
	var m *Mask
	cpu(b, 0, func() { m.Text("x") })
}
