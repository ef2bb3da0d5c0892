package listen

import (
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// guard lets a request through to next only when it comes from a program of this machine that has the token. It stands before
// every route, also those that do not exist.
type guard struct {
	port  string
	token func() string
	next  http.Handler
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	switch {
	case !loopbackHost(r.Host):
		refuse(w, http.StatusForbidden, fmt.Sprintf("the Host %q is not this machine", r.Host), "Connect to 127.0.0.1 or localhost.")
	case g.foreign(r):
		refuse(w, http.StatusForbidden, "web pages may not use this endpoint", "Connect from a program, which sends no Origin.")
	case !g.knows(r):
		h.Set("WWW-Authenticate", `Bearer realm="chaperone"`)
		refuse(w, http.StatusUnauthorized, "the token is missing or wrong", "Send the header Authorization: Bearer, followed by the token that the Connect screen, or the file run/token in the workspace, shows.")
	default:
		g.next.ServeHTTP(w, r)
	}
}

// loopbackHost reports whether a Host header names this machine. A page that has its own name resolve to 127.0.0.1 sends
// that name.
func loopbackHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// foreign reports whether a web page of another origin is behind a request. Another port of this machine is another origin.
func (g *guard) foreign(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		scheme, host, ok := strings.Cut(origin, "://")
		if _, port, err := net.SplitHostPort(host); !ok || scheme != "http" || err != nil || port != g.port || !loopbackHost(host) {
			return true
		}
	}
	// Browsers leave the Origin out of some requests, but say where they come from.
	site := r.Header.Get("Sec-Fetch-Site")
	return site != "" && site != "none" && site != "same-origin"
}

func (g *guard) knows(r *http.Request) bool {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return false
	}
	scheme, got, ok := strings.Cut(values[0], " ")
	want := g.token()
	return ok && want != "" && strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(strings.TrimSpace(got)), []byte(want)) == 1
}

// refuse answers with words for whoever set the client up, in the form of a JSON-RPC error.
func refuse(w http.ResponseWriter, status int, words, hint string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"jsonrpc": "2.0", "id": nil,
		"error": map[string]any{"code": -32000 - status%100, "message": words, "data": map[string]string{"hint": hint}},
	})
}
