// Package navigate is the set of tools that go from page to page, scroll and wait.
package navigate

import (
	"context"

	"chaperone/browser"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
	"chaperone/server/tools/opener"
)

// Deps are what the tools of this set need.
type Deps struct {
	Open *opener.Opener
	Do   *acted.Doer
}

// Set returns the tools.
func Set(d Deps) tool.Set {
	return tool.NewSet("navigate", "Go from page to page, scroll and wait.", true,
		navigate(d), goBack(d), goForward(d), reload(d), scroll(d), waitFor(d))
}

// waits is how far a page is to be loaded.
type waits struct {
	WaitUntil string `json:"waitUntil,omitempty" jsonschema:"default load" enum:"load,domcontentloaded,networkidle,commit"`
}

func (w waits) until() browser.WaitUntil {
	if w.WaitUntil == "" {
		return browser.WaitLoad
	}
	return browser.WaitUntil(w.WaitUntil)
}

type navigateArgs struct {
	tool.InSession
	tool.Timed
	acted.Shows
	URL string `json:"url" jsonschema:"in full, as https://app.example.com/path"`
	waits
}

// Visits are the addresses that the call would open.
func (a *navigateArgs) Visits() []string { return []string{a.URL} }

// Words say what the call is aimed at.
func (a *navigateArgs) Words() string { return a.URL }

func navigate(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "navigate", Title: "Open an address",
		Does:  "Opens an address in the current tab, and the browser if need be, and waits until it has loaded." + acted.Untrusted,
		Needs: tool.Navigation, Effect: tool.Changes, Limit: tool.Navigating, Pages: true,
	}, func(ctx context.Context, a navigateArgs) (tool.Result, error) {
		t, again, err := d.Open.TabOrOpen(ctx, a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		ctx, cancel := d.Open.PageTime(ctx, a.Session, a.TimeoutMs)
		defer cancel()
		result, err := d.Do.Load(ctx, t, acted.Action{Type: "navigate", URL: a.URL}, a.Shows, func(ctx context.Context) (browser.Effects, error) {
			return t.Navigate(ctx, a.URL, a.until())
		})
		if r, ok := result.Value.(*acted.Result); ok && again {
			r.Warn("the browser had been closed or had crashed, and was started again: its other tabs and all refs are gone")
		}
		return result, err
	})
}

type historyArgs struct {
	tool.InSession
	tool.Timed
	acted.Shows
}

func goBack(d Deps) tool.Tool {
	return history(d, tool.Info{Name: "go_back", Title: "Go back", Does: "Goes one page back in the tab's history." + acted.Untrusted}, (*browser.Tab).Back)
}

func goForward(d Deps) tool.Tool {
	return history(d, tool.Info{Name: "go_forward", Title: "Go forward", Does: "Goes one page forward in the tab's history." + acted.Untrusted}, (*browser.Tab).Forward)
}

func history(d Deps, info tool.Info, step func(*browser.Tab, context.Context, browser.WaitUntil) (browser.Effects, error)) tool.Tool {
	info.Needs, info.Effect, info.Limit, info.Pages = tool.Navigation, tool.Changes, tool.Navigating, true
	return tool.New(info, func(ctx context.Context, a historyArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		return d.Do.Load(ctx, t, acted.Action{Type: info.Name}, a.Shows, func(ctx context.Context) (browser.Effects, error) {
			return step(t, ctx, browser.WaitLoad)
		})
	})
}

type reloadArgs struct {
	tool.InSession
	tool.Timed
	acted.Shows
	waits
	IgnoreCache bool `json:"ignoreCache,omitempty" jsonschema:"load everything from the network"`
}

func reload(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "reload", Title: "Reload", Does: "Loads the page again. It also brings a crashed page back." + acted.Untrusted,
		Needs: tool.Navigation, Effect: tool.Changes, Limit: tool.Navigating, Pages: true,
	}, func(ctx context.Context, a reloadArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		return d.Do.Load(ctx, t, acted.Action{Type: "reload"}, a.Shows, func(ctx context.Context) (browser.Effects, error) {
			return t.Reload(ctx, a.until(), a.IgnoreCache)
		})
	})
}
