package session

import (
	"context"
	"fmt"

	"chaperone/browser"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
)

type tabsArgs struct {
	tool.InSession
	tool.Timed
	Action string `json:"action,omitempty" jsonschema:"list (default), new, select or close" enum:"list,new,select,close"`
	ID     string `json:"id,omitempty" jsonschema:"of the tab to select or close, as the list has it"`
	URL    string `json:"url,omitempty" jsonschema:"what a new tab opens"`
}

// Visits are the addresses that the call would open.
func (a *tabsArgs) Visits() []string {
	if a.Action == "new" && a.URL != "" {
		return []string{a.URL}
	}
	return nil
}

// Words say what the call is aimed at.
func (a *tabsArgs) Words() string { return a.Action + " " + a.ID + a.URL }

// tabState is a tab in a list.
type tabState struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	Title   string `json:"title"`
	Current bool   `json:"current"`
	Crashed bool   `json:"crashed,omitempty"`
}

func tabs(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "tabs", Title: "Tabs",
		Does:  "Lists, opens, selects or closes tabs. Other tools work on the current tab. After the current tab was closed none is selected.",
		Needs: tool.Navigation, Effect: tool.Changes, Limit: tool.Navigating,
	}, func(ctx context.Context, a tabsArgs) (tool.Result, error) {
		if a.Action == "new" {
			return newTab(ctx, d, a)
		}
		s, err := d.Open.Browser.Session(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		if (a.Action == "select" || a.Action == "close") && a.ID == "" {
			return tool.Result{}, fmt.Errorf("which tab? give its id, one of %s", ids(s))
		}
		switch a.Action {
		case "select":
			if _, err := s.Select(a.ID); err != nil {
				return tool.Result{}, fmt.Errorf("%w; the tabs are %s", err, ids(s))
			}
		case "close":
			if err := s.CloseTab(ctx, a.ID); err != nil {
				return tool.Result{}, err
			}
		}
		return tabList(s), nil
	})
}

func newTab(ctx context.Context, d Deps, a tabsArgs) (tool.Result, error) {
	_, err := d.Open.Browser.Session(a.Session)
	wasOpen := err == nil
	s, _, err := d.Open.Open(ctx, a.Session, openerWishes)
	if err != nil {
		return tool.Result{}, err
	}
	// A browser that has only now been opened brings an empty tab along.
	t, err := s.Current()
	if err != nil || wasOpen {
		if t, err = s.NewTab(ctx); err != nil {
			return tool.Result{}, err
		}
	}
	if a.URL == "" {
		return tabList(s), nil
	}
	ctx, cancel := d.Open.PageTime(ctx, a.Session, a.TimeoutMs)
	defer cancel()
	effects, err := t.Navigate(ctx, a.URL, browser.WaitLoad)
	if dialog := acted.Raised(effects); err == nil && dialog != nil {
		err = &acted.RaisedError{Dialog: *dialog}
	}
	if err != nil {
		return tool.Result{}, fmt.Errorf("the tab %s is open and selected, but: %w", t.ID(), err)
	}
	result := tabList(s)
	if effects.Unsettled != "" {
		result.Value.(map[string]any)["warnings"] = []string{"not all was quiet at the end: " + effects.Unsettled}
	}
	return result, nil
}

func tabList(s *browser.Session) tool.Result {
	current, _ := s.Current()
	list := []tabState{}
	id := any(nil)
	for _, t := range s.Tabs() {
		list = append(list, tabState{t.ID(), t.URL(), t.Title(), t == current, t.Crashed()})
		if t == current {
			id = t.ID()
		}
	}
	value := map[string]any{"ok": true, "tabs": list, "current": id}
	if id == nil {
		value["hint"] = "No tab is selected: select one, or open a new one."
	}
	return tool.Result{Value: value}
}

func ids(s *browser.Session) string {
	list := ""
	for i, t := range s.Tabs() {
		if i > 0 {
			list += ", "
		}
		list += t.ID()
	}
	if list == "" {
		return "none: open one with action new"
	}
	return list
}
