package browser

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// A stream comes in parts that end anywhere.
func TestEventStreamInParts(t *testing.T) {
	text := "\ufeff: a comment\r\n\r\ndata: one\ndata: zwei ü\n\nevent: price\r\ndata:{\"p\":2}\r\nid: 7\r\n\r\nevent: message\rdata: three\r\rdata\n\nretry: 5\n\ndata: unended"
	want := "/one\nzwei ü|price/{\"p\":2}|/three|/"
	for size := 1; size <= len(text); size++ {
		tab := &Tab{frameLog: newRing[SocketFrame](ringSize)}
		s := &eventStream{url: "https://a.test/"}
		for at := 0; at < len(text); at += size {
			tab.takeLocked(s, base64.StdEncoding.EncodeToString([]byte(text[at:min(at+size, len(text))])))
		}
		var got []string
		for _, f := range tab.frameLog.items {
			got = append(got, fmt.Sprintf("%s/%s", f.Event, f.Payload))
			if f.URL != s.url || f.Kind != "sse" || f.Dir != "in" {
				t.Fatalf("%+v", f)
			}
		}
		if all := strings.Join(got, "|"); all != want {
			t.Fatalf("in parts of %d: %q", size, all)
		}
	}
}
