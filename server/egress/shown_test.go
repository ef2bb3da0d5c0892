package egress

import (
	"encoding/json"
	"strings"
	"testing"

	"chaperone/browser/pagejs"
	"chaperone/server/tool"
	"chaperone/vault"
	"chaperone/vault/mask"
)

// What cuts keep never leaves, whether or not anything is registered.
func TestShown(t *testing.T) {
	const secret = "k3y-of-the-vault"
	open, shut := pagejs.CutMarks()
	m := mask.New([]vault.Secret{vault.NewSecret("KEY", secret)}, mask.Cuts(open, shut))
	for name, e := range map[string]*Egress{"nothing": New(Config{}), "a value": New(Config{Mask: func() *mask.Mask { return m }})} {
		for _, text := range []string{pagejs.Cut("see "+secret+" and more", 4+5), pagejs.Cut("\"a\nhttps://u:p@a.test/kept?kept=1 b", 6), "x" + open + "kept", "x" + open + "kept\" https://kept/", "kept"[:0] + "x" + shut + "y"} {
			q := e.Text(text)
			r := e.Reply(tool.Result{Value: map[string]any{"name": text, "url": text, "list": []any{text, "z"}}})
			p := e.Reply(tool.Result{Text: "title: " + text + "\n- text: z"})
			a := e.Arguments(json.RawMessage(encode(map[string]any{"a": text})))
			if !json.Valid(r.JSON) || !json.Valid(a) || !strings.Contains(r.Text, `"z"`) || !strings.HasSuffix(p.Text, "- text: z") {
				t.Errorf("%s, %q: %s, %s", name, text, r.Text, p.Text)
			}
			for i, out := range []string{string(Shown([]byte(text))), q, r.Text, p.Text, string(a)} {
				if strings.Contains(out, open) || strings.Contains(out, shut) || strings.Contains(out, "the-vault") || i > 0 && m == e.values() && strings.Contains(out, "k3y") || !strings.Contains(out, "…") {
					t.Errorf("%s, %q: %q", name, text, out)
				}
			}
		}
		const private = "\U000f1234 and \ue000 stay…"
		if got := e.Text(private); got != private {
			t.Errorf("%q", got)
		}
	}
}
