package storage

import (
	"context"
	"strings"

	"chaperone/browser"
	"chaperone/browser/page"
	store "chaperone/browser/storage"
	"chaperone/server/tool"
)

type stateArgs struct {
	tool.InSession
	tool.Timed
}

// entry is one of a web storage, as Playwright writes it.
type entry struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type originState struct {
	Origin         string  `json:"origin"`
	LocalStorage   []entry `json:"localStorage"`
	SessionStorage []entry `json:"sessionStorage,omitempty"`
}

type state struct {
	OK       bool          `json:"ok"`
	Cookies  []cookie      `json:"cookies"`
	Origins  []originState `json:"origins"`
	Warnings []string      `json:"warnings,omitempty"`
}

func dumpStorageState(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "dump_storage_state", Title: "Read all sign-ins of a session",
		Does: "Returns the cookies of the whole session and the web storage of the page and its frames, in the form of Playwright's storageState. " +
			"These are sign-ins: whoever has them is the person at those sites." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a stateArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		all, err := t.Session().Cookies(ctx)
		if err != nil {
			return tool.Result{}, err
		}
		out := state{OK: true, Cookies: []cookie{}, Origins: []originState{}}
		hidden := 0
		for _, c := range all {
			if d.Open.MayShow(ctx, t.Session().ID(), "a cookie", siteOf(c)) != nil {
				hidden++
				continue
			}
			out.Cookies = append(out.Cookies, cookieOf(c, true))
		}
		if hidden > 0 {
			out.Warnings = append(out.Warnings, "cookies of sites that are not on the person's list are left out")
		}
		seen := map[string]bool{}
		for _, f := range t.Frames() {
			if origin := page.Origin(f); origin == "null" || seen[origin] {
				continue
			}
			if _, err := d.Open.Frame(ctx, a.Session, f.ID()); err != nil {
				continue
			}
			one, cut, err := originOf(ctx, f)
			if ctx.Err() != nil {
				return tool.Result{}, context.Cause(ctx)
			}
			switch {
			case err != nil && f == t.MainFrame():
				out.Warnings = append(out.Warnings, "the page's web storage cannot be read: "+err.Error())
			case err == nil:
				seen[page.Origin(f)] = true
				out.Origins = append(out.Origins, one)
			}
			if cut {
				out.Warnings = append(out.Warnings, "values of "+one.Origin+" that would be too much are left out")
			}
		}
		return tool.Result{Value: out}, nil
	})
}

// siteOf is an address to which a cookie would be sent.
func siteOf(c browser.Cookie) string {
	scheme := "http"
	if c.Secure {
		scheme = "https"
	}
	return scheme + "://" + strings.TrimPrefix(c.Domain, ".") + "/"
}

func originOf(ctx context.Context, f *browser.Frame) (out originState, cut bool, err error) {
	local, err := store.ReadItems(ctx, f, false, nil, true)
	if err != nil {
		return out, false, err
	}
	session, err := store.ReadItems(ctx, f, true, nil, true)
	if err != nil {
		return out, false, err
	}
	return originState{local.Origin, entries(local), entries(session)}, local.Truncated || session.Truncated, nil
}

func entries(found store.Items) []entry {
	list := []entry{}
	for _, i := range found.Items {
		if i.Value != nil {
			list = append(list, entry{i.Key, *i.Value})
		}
	}
	return list
}
