package browser

import (
	"context"
	"slices"
)

// Cookie is a cookie as the browser keeps it.
type Cookie struct {
	Name      string
	Value     string
	Domain    string // with a dot before it where subdomains get it too
	Path      string
	Expires   float64 // seconds since 1970; -1: when the browser ends
	Size      int
	HTTPOnly  bool
	Secure    bool
	SameSite  string // "Strict", "Lax", "None", or empty where the site did not say
	Partition string // the site in whose pages alone it is sent, where it is bound to one
}

type protocolCookie struct {
	Name      string  `json:"name"`
	Value     string  `json:"value"`
	Domain    string  `json:"domain"`
	Path      string  `json:"path"`
	Expires   float64 `json:"expires"`
	Size      int     `json:"size"`
	HTTPOnly  bool    `json:"httpOnly"`
	Secure    bool    `json:"secure"`
	SameSite  string  `json:"sameSite"`
	Partition *struct {
		Site string `json:"topLevelSite"`
	} `json:"partitionKey"`
}

type cookiesReply struct {
	Cookies []protocolCookie `json:"cookies"`
}

func (r cookiesReply) list() []Cookie {
	out := make([]Cookie, len(r.Cookies))
	for i, c := range r.Cookies {
		out[i] = Cookie{Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Expires: c.Expires, Size: c.Size, HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: c.SameSite}
		if c.Partition != nil {
			out[i].Partition = c.Partition.Site
		}
	}
	slices.SortStableFunc(out, func(a, b Cookie) int { return compare(a.Domain, b.Domain, a.Path, b.Path, a.Name, b.Name) })
	return out
}

// compare orders by the first pair that differs.
func compare(pairs ...string) int {
	for i := 0; i < len(pairs); i += 2 {
		switch {
		case pairs[i] < pairs[i+1]:
			return -1
		case pairs[i] > pairs[i+1]:
			return 1
		}
	}
	return 0
}

// Cookies returns those that would be sent to an address from the page of the tab, sorted.
func (t *Tab) Cookies(ctx context.Context, url string) ([]Cookie, error) {
	if err := t.Err(); err != nil {
		return nil, err
	}
	var reply cookiesReply
	if err := t.cdp.Call(ctx, "Network.getCookies", map[string]any{"urls": []string{url}}, &reply); err != nil {
		return nil, err
	}
	return reply.list(), nil
}

// Cookies returns all that the session keeps, sorted.
func (s *Session) Cookies(ctx context.Context) ([]Cookie, error) {
	var reply cookiesReply
	if err := s.conn.Root().Call(ctx, "Storage.getCookies", nil, &reply); err != nil {
		return nil, err
	}
	return reply.list(), nil
}
