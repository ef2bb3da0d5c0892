package gate

import (
	"context"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"chaperone/assets"
	"chaperone/internal/settings"
	"chaperone/server/client"
	"chaperone/server/question"

	"golang.org/x/net/idna"
)

// sites are the lists of origins, and what the person wants to be asked about.
type sites struct {
	allowed, blocked []pattern
	confirm          []string
}

func readSites(s *settings.Store) *sites {
	return &sites{allowed: patterns(s.List("allowedOrigins")), blocked: patterns(s.List("blockedOrigins")), confirm: s.List("confirmRequired")}
}

// pattern is an origin, or all below a host.
type pattern struct {
	scheme, host, port string
	below              bool
}

func patterns(entries []string) []pattern {
	var list []pattern
	for _, e := range entries {
		below := strings.Contains(e, "://*.")
		u, err := url.Parse(strings.Replace(e, "://*.", "://", 1))
		if err != nil {
			continue
		}
		list = append(list, pattern{strings.ToLower(u.Scheme), hostOf(u), portOf(u), below})
	}
	return list
}

func portOf(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "ws":
		return "80"
	case "https", "wss":
		return "443"
	}
	return ""
}

// hostOf is the host as a browser understands it, "" where it would not.
func hostOf(u *url.URL) string {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.String()
	}
	// Browsers map letters of other scripts and widths to plain ones, and read 0x7f.1 or 2130706433 as an address.
	host, err := idna.Lookup.ToASCII(host)
	if err != nil {
		// A name that only breaks the rules for registered names, such as one with an underscore, is taken as it is.
		host = strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
		if strings.ContainsFunc(host, func(r rune) bool { return r > 'z' || r <= ' ' }) {
			return ""
		}
	}
	host = strings.TrimSuffix(host, ".")
	if _, err := netip.ParseAddr(host); err != nil && numeric(host[strings.LastIndexByte(host, '.')+1:]) {
		return ""
	}
	return host
}

// numeric reports whether a browser would take a last label for a part of an address.
func numeric(label string) bool {
	if rest, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(rest, "0123456789abcdef") == ""
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}

func (p pattern) matches(u *url.URL) bool {
	host := hostOf(u)
	if p.scheme != strings.ToLower(u.Scheme) || p.port != portOf(u) {
		return false
	}
	if p.below {
		return strings.HasSuffix(host, "."+p.host)
	}
	return host == p.host
}

func anyMatches(list []pattern, u *url.URL) bool {
	return slices.ContainsFunc(list, func(p pattern) bool { return p.matches(u) })
}

// originOf is the origin of an address as a person reads it.
func originOf(u *url.URL) string {
	if u.Scheme == "blob" {
		if inner, err := url.Parse(u.Opaque); err == nil && inner.Host != "" {
			return originOf(inner)
		}
	}
	if u.Host == "" {
		return strings.ToLower(u.Scheme) + ":"
	}
	host := hostOf(u)
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if p := u.Port(); p != "" && p != portOf(&url.URL{Scheme: u.Scheme}) {
		host += ":" + p
	}
	return strings.ToLower(u.Scheme) + "://" + host
}

// parseVisit reads an address that an agent wants to open. What cannot be read, or is no page, is refused and never asked.
func parseVisit(raw string) (*url.URL, *Refusal) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Scheme == "" {
		return nil, &Refusal{Code: BadURL, Why: "the url cannot be read as an address", Hint: "Write it in full, as https://app.example.com/path."}
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		if u.Hostname() == "" || hostOf(u) == "" {
			return nil, &Refusal{Code: BadURL, Why: "the url has no valid host", Hint: "Write it in full, as https://app.example.com/path."}
		}
	case "about":
		if u.Opaque != "blank" && u.Opaque != "srcdoc" {
			return nil, &Refusal{Code: BadURL, Why: "of about: only about:blank can be opened", Hint: "Write an address as https://app.example.com/path."}
		}
	case "data", "blob", "file":
	case "localhost", "127.0.0.1":
		return nil, &Refusal{Code: BadURL, Why: "the url has no scheme", Hint: "Write it in full, as http://localhost:3000/path."}
	default:
		return nil, &Refusal{Code: BadURL, Why: "addresses with " + clip(u.Scheme) + ": cannot be opened", Hint: "Only http, https, data, blob, file and about:blank can be."}
	}
	return u, nil
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

func (g *Gate) visitable(visits []string) error {
	for _, raw := range visits {
		if _, refusal := parseVisit(raw); refusal != nil {
			return refusal
		}
	}
	return nil
}

// allowed checks the sites that a call would open or work on.
func (g *Gate) allowed(p *Pass) error {
	for _, raw := range p.call.Visits {
		u, refusal := parseVisit(raw)
		if refusal != nil {
			return refusal
		}
		if err := g.site(p, u, true); err != nil {
			return err
		}
	}
	if p.call.Tool.Site {
		if at := g.cfg.Where(p.Session); at != "" {
			if u, err := url.Parse(at); err == nil {
				return g.site(p, u, false)
			}
		}
	}
	return nil
}

func (g *Gate) site(p *Pass, u *url.URL, opens bool) error {
	origin := originOf(u)
	g.mu.Lock()
	s := g.sites
	here := g.here[p.Session]
	if !opens && here != origin {
		delete(g.here, p.Session)
	}
	g.mu.Unlock()
	if u.Scheme == "blob" {
		if inner, err := url.Parse(u.Opaque); err == nil {
			u = inner
		}
	}
	if anyMatches(s.blocked, u) {
		return &Refusal{Code: SiteBlocked, Why: assets.Say("server.site.blocked", origin), Hint: assets.Say("server.site.blocked.hint")}
	}
	switch {
	case anyMatches(s.allowed, u), u.Scheme == "about", strings.HasPrefix(u.Scheme, "chrome"):
		return nil
	case len(s.allowed) == 0 && u.Scheme != "file":
		return nil
	case !opens && here == origin:
		return nil
	}
	if g.granted(p, "navigate_off_allowlist", "navigate", origin) {
		return nil
	}
	if !slices.Contains(s.confirm, "navigate_off_allowlist") {
		return &Refusal{Code: SiteNotListed, Why: assets.Say("server.site.unlisted", origin), Hint: assets.Say("server.site.unlisted.hint")}
	}
	ask := "server.ask.open"
	if !opens {
		ask = "server.ask.stay"
	}
	return g.confirm(p, "navigate_off_allowlist", "navigate", origin, assets.Say(ask, origin))
}

// Shows reports whether a page at that address may be shown to an agent without anybody being asked: after a redirect or a
// link, before what the page says goes out.
func (g *Gate) Shows(c *client.Client, session, address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	origin := originOf(u)
	if u.Scheme == "blob" {
		if inner, err := url.Parse(u.Opaque); err == nil {
			u = inner
		}
	}
	g.mu.Lock()
	s, here := g.sites, g.here[session]
	g.mu.Unlock()
	switch {
	case anyMatches(s.blocked, u):
		return false
	case len(s.allowed) == 0 && u.Scheme != "file", anyMatches(s.allowed, u), u.Scheme == "about", strings.HasPrefix(u.Scheme, "chrome"), here == origin:
		return true
	}
	if c == nil {
		c = &client.Client{ID: "local", Name: "local", Transport: "stdio"}
	}
	return g.granted(&Pass{Session: session, call: Call{Client: c}}, "navigate_off_allowlist", "navigate", origin)
}

// OffList reports whether a request to that address goes beyond the person's lists of sites. Without lists none does.
func (g *Gate) OffList(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "ws":
		u.Scheme = "http"
	case "wss":
		u.Scheme = "https"
	}
	g.mu.Lock()
	s := g.sites
	g.mu.Unlock()
	return anyMatches(s.blocked, u) || len(s.allowed) > 0 && !anyMatches(s.allowed, u)
}

// confirm asks the person about something on the confirm list, and keeps a yes for as long as it was given.
func (g *Gate) confirm(p *Pass, scope, subject, origin, ask string) error {
	answer, err := g.cfg.Ask.Ask(p.Context, question.Question{
		Kind: question.Policy, Ask: ask, Scope: scope, Site: origin, Session: p.Session, Tool: p.call.Tool.Name, Client: p.call.Client,
		Terms: []question.Term{question.Once, question.ForSession, question.ForHour, question.Always},
	})
	if err != nil {
		return err
	}
	if !answer.Yes {
		return denied(answer)
	}
	g.keep(p, scope, subject, origin, answer.Term)
	return nil
}

func denied(a question.Answer) *Refusal {
	r := &Refusal{Code: Denied, Why: "the person said no", Hint: "Do not try this again; find another way or ask what they want instead."}
	if a.Note != "" {
		r.Why += ": " + a.Note
	}
	if a.Repeat {
		r.Why = "the person said no to the same a moment ago, and was not asked again"
	}
	return r
}

// keep remembers a yes.
func (g *Gate) keep(p *Pass, scope, subject, origin string, term question.Term) {
	who := identity(p.call.Client)
	g.mu.Lock()
	switch term {
	case question.ForSession:
		g.grants = append(g.grants, &grant{scope: scope, subject: subject, origin: origin, client: who, session: p.Session})
	case question.ForHour:
		g.grants = append(g.grants, &grant{scope: scope, subject: subject, origin: origin, client: who, until: time.Now().Add(time.Hour)})
	case question.Always:
	default:
		if subject == "navigate" {
			g.here[p.Session] = origin
		}
	}
	g.mu.Unlock()
	if term == question.Always {
		if err := g.remember(Decision{Scope: scope, Tool: subject, Site: origin, Client: who, At: time.Now()}); err != nil {
			g.log.Warn("an always could not be kept", "error", err)
		}
	}
}

// Confirm asks about one use of a scope of the confirm list other than navigation, where the person wants to be asked.
func (g *Gate) Confirm(ctx context.Context, p *Pass, scope, origin, ask string) error {
	g.mu.Lock()
	wanted := slices.Contains(g.sites.confirm, scope)
	g.mu.Unlock()
	if !wanted || g.granted(p, scope, p.call.Tool.Name, origin) {
		return nil
	}
	return g.confirm(p, scope, p.call.Tool.Name, origin, ask)
}
