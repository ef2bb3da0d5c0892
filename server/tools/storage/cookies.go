package storage

import (
	"context"
	"net/url"
	"strings"

	"chaperone/browser"
	"chaperone/server/tool"
)

type cookiesArgs struct {
	tool.InSession
	tool.Timed
	Name string `json:"name,omitempty" jsonschema:"only cookies of this name"`
	URL  string `json:"url,omitempty" jsonschema:"those that would be sent to this address; by default the page's"`
}

// Words say what the call is aimed at.
func (a *cookiesArgs) Words() string { return strings.TrimSpace(a.Name + " " + a.URL) }

// cookie is one as a result shows it, in the names of the DevTools and of Playwright.
type cookie struct {
	Name      string  `json:"name"`
	Value     *string `json:"value,omitempty"`
	Domain    string  `json:"domain"`
	Path      string  `json:"path"`
	Expires   float64 `json:"expires"`
	Size      int     `json:"size,omitempty"`
	HTTPOnly  bool    `json:"httpOnly"`
	Secure    bool    `json:"secure"`
	SameSite  string  `json:"sameSite,omitempty"`
	Partition string  `json:"partition,omitempty"`
}

func cookieOf(c browser.Cookie, value bool) cookie {
	out := cookie{Name: c.Name, Domain: c.Domain, Path: c.Path, Expires: c.Expires, HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: c.SameSite, Partition: c.Partition}
	if value {
		out.Value = &c.Value
	} else {
		out.Size = c.Size
	}
	return out
}

func cookiesGet(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "cookies_get", Title: "Read cookies",
		Does: "Returns the cookies that the browser would send to the page's address, or to url, with their values, also of HttpOnly ones. " +
			"The values are mostly sign-ins: whoever has one is the person there. To see which there are, cookies_list shows no values." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a cookiesArgs) (tool.Result, error) { return d.cookies(ctx, a, true) })
}

func cookiesList(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "cookies_list", Title: "List cookies",
		Does:  "Lists the cookies that the browser would send to the page's address, or to url: names and attributes, without values (cookies_get)." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a cookiesArgs) (tool.Result, error) { return d.cookies(ctx, a, false) })
}

func (d Deps) cookies(ctx context.Context, a cookiesArgs, values bool) (tool.Result, error) {
	t, err := d.Open.Tab(a.Session)
	if err != nil {
		return tool.Result{}, err
	}
	address := t.URL()
	if a.URL != "" {
		u, err := url.Parse(a.URL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return tool.Result{}, &addressError{}
		}
		if err := d.Open.MayShow(ctx, t.Session().ID(), "the cookie jar of that address", a.URL); err != nil {
			return tool.Result{}, err
		}
		address = a.URL
	}
	all, err := t.Cookies(ctx, address)
	if err != nil {
		return tool.Result{}, err
	}
	list := []cookie{}
	for _, c := range all {
		if a.Name == "" || c.Name == a.Name {
			list = append(list, cookieOf(c, values))
		}
	}
	return tool.Result{Value: struct {
		OK      bool     `json:"ok"`
		URL     string   `json:"url"`
		Count   int      `json:"count"`
		Cookies []cookie `json:"cookies"`
	}{true, address, len(list), list}}, nil
}

type addressError struct{}

func (addressError) Error() string { return "url is no address of a site" }

// Advice says what to do about it.
func (addressError) Advice() (hint, source string) {
	return "Give it whole, as https://shop.example.com/cart, or leave it out for the page's own.", "server"
}
