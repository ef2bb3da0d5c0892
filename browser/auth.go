package browser

import (
	"encoding/json"
	"time"

	"chaperone/browser/internal/cdp"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// AuthPrompt is a server's or proxy's question for a user name and password, which was answered with none.
type AuthPrompt struct {
	Source string // "Server" or "Proxy"
	Origin string
	Scheme string // "basic", "digest", …
	Realm  string // the server's words; untrusted
	At     time.Time
}

// handleFetch answers HTTP authentication: no credentials are given, so that no native box opens and nothing hangs, and the
// action reports who asked.
func (t *Tab) handleFetch(sess *cdp.Session, name string, params jsonv2.Value) {
	var ev struct {
		RequestID string `json:"requestId"`
		Challenge struct {
			Source string `json:"source"`
			Origin string `json:"origin"`
			Scheme string `json:"scheme"`
			Realm  string `json:"realm"`
		} `json:"authChallenge"`
	}
	if json.Unmarshal(params, &ev) != nil {
		return
	}
	switch name {
	case "requestPaused":
		sess.Send("Fetch.continueRequest", map[string]any{"requestId": ev.RequestID})
	case "authRequired":
		prompt := AuthPrompt{Source: ev.Challenge.Source, Origin: ev.Challenge.Origin, Scheme: ev.Challenge.Scheme, Realm: ev.Challenge.Realm, At: time.Now()}
		t.forWindows(func(w *window) { w.effects.Auth = append(w.effects.Auth, prompt) })
		sess.Send("Fetch.continueWithAuth", map[string]any{"requestId": ev.RequestID, "authChallengeResponse": map[string]any{"response": "CancelAuth"}})
	}
}
