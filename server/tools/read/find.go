package read

import (
	"context"

	"chaperone/browser/page"
	"chaperone/server/tool"
)

type findArgs struct {
	tool.InSession
	tool.Timed
	Query           string  `json:"query" jsonschema:"in words, as: save button"`
	MaxCandidates   int     `json:"maxCandidates,omitempty" jsonschema:"default 5" min:"1" max:"50"`
	ContextRef      string  `json:"contextRef,omitempty" jsonschema:"look only inside this ref"`
	VisibleOnly     *bool   `json:"visibleOnly,omitempty" jsonschema:"leave out what is not visible"`
	ConfidenceFloor float64 `json:"confidenceFloor,omitempty" jsonschema:"leave out lower scores" min:"0" max:"1"`
	Frame           string  `json:"frame,omitempty" jsonschema:"only this frame"`
}

// Words say what the call is aimed at.
func (a *findArgs) Words() string { return a.Query }

func find(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "find", Title: "Find elements",
		Does:  "Finds the elements that fit a description best, with refs, selector hints, and whether they can be acted on." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a findArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		found, err := page.Find(ctx, t, page.FindOptions{
			Query: a.Query, Max: a.MaxCandidates, ContextRef: a.ContextRef, VisibleOnly: a.VisibleOnly, Floor: a.ConfidenceFloor, Frame: a.Frame,
		})
		if err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Value: struct {
			OK         bool             `json:"ok"`
			Query      string           `json:"query"`
			Candidates []page.Candidate `json:"candidates"`
			Warnings   []string         `json:"warnings,omitempty"`
		}{true, a.Query, found.Candidates, found.Warnings}}, nil
	})
}

type searchArgs struct {
	tool.InSession
	tool.Timed
	Text          string `json:"text" jsonschema:"in any letter case"`
	Exact         bool   `json:"exact,omitempty" jsonschema:"the whole text, letter for letter"`
	Scope         string `json:"scope,omitempty" jsonschema:"only below this ref"`
	IncludeHidden bool   `json:"includeHidden,omitempty" jsonschema:"also what is not visible"`
	MaxMatches    int    `json:"maxMatches,omitempty" jsonschema:"default 20" min:"1" max:"500"`
}

// Words say what the call is aimed at.
func (a *searchArgs) Words() string { return a.Text }

func textSearch(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "text_search", Title: "Search for text",
		Does:  "Finds where a text stands in the page and its frames, with refs." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a searchArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		found, err := page.TextSearch(ctx, t, page.SearchOptions{Text: a.Text, Exact: a.Exact, Scope: a.Scope, IncludeHidden: a.IncludeHidden, Max: a.MaxMatches})
		if err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Value: struct {
			OK      bool         `json:"ok"`
			Count   int          `json:"count"`
			Matches []page.Match `json:"matches"`
		}{true, found.Count, found.Matches}}, nil
	})
}
