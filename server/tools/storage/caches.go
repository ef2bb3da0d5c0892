package storage

import (
	"context"

	store "chaperone/browser/storage"
	"chaperone/server/egress"
	"chaperone/server/tool"
	"chaperone/server/tools/long"
)

type cacheNamesArgs struct {
	tool.InSession
	tool.Timed
	InFrame
}

func cachesListStorages(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "caches_list_storages", Title: "List caches",
		Does:  "Lists the names of the caches (Cache Storage) of the page's origin." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a cacheNamesArgs) (tool.Result, error) {
		f, err := d.Open.Frame(ctx, a.Session, a.Frame)
		if err != nil {
			return tool.Result{}, err
		}
		found, err := store.ListCaches(ctx, f)
		if err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Value: struct {
			OK bool `json:"ok"`
			store.Caches
		}{true, found}}, nil
	})
}

type cacheListArgs struct {
	tool.InSession
	tool.Timed
	Cache string `json:"cache" jsonschema:"its name, from caches_list_storages"`
	Skip  int    `json:"skip,omitempty" jsonschema:"leave out so many first" min:"0" max:"1000000000"`
	Limit int    `json:"limit,omitempty" jsonschema:"default 50" min:"1" max:"500"`
	InFrame
}

// Words say what the call is aimed at.
func (a *cacheListArgs) Words() string { return a.Cache }

func cachesList(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "caches_list", Title: "List what a cache holds",
		Does:  "Lists the answers that a cache of the page's origin holds: index, address (without query), status, type." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a cacheListArgs) (tool.Result, error) {
		f, err := d.Open.Frame(ctx, a.Session, a.Frame)
		if err != nil {
			return tool.Result{}, err
		}
		if a.Limit == 0 {
			a.Limit = 50
		}
		found, err := store.ListEntries(ctx, f, a.Cache, a.Skip, a.Limit)
		if err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Value: struct {
			OK bool `json:"ok"`
			store.Entries
		}{true, found}}, nil
	})
}

type cacheGetArgs struct {
	tool.InSession
	tool.Timed
	Cache string `json:"cache" jsonschema:"its name"`
	URL   string `json:"url,omitempty" jsonschema:"address of the entry, or its path"`
	Index *int   `json:"index,omitempty" jsonschema:"of the entry, from caches_list, instead of url" min:"0" max:"1000000000"`
	InFrame
}

// Words say what the call is aimed at.
func (a *cacheGetArgs) Words() string { return a.Cache + " " + a.URL }

type cachedResult struct {
	OK        bool              `json:"ok"`
	Origin    string            `json:"origin"`
	URL       string            `json:"url"`
	Method    string            `json:"method"`
	Status    int               `json:"status"`
	Type      string            `json:"type"`
	Headers   map[string]string `json:"headers"`
	Bytes     int               `json:"bytes"`
	Base64    bool              `json:"base64Encoded"`
	Truncated bool              `json:"truncated"`
	Note      string            `json:"note,omitempty"`
	Body      string            `json:"body"`
}

func cachesGet(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "caches_get", Title: "Read an entry of a cache",
		Does:  "Returns an answer that a cache of the page's origin holds: status, headers and body, whole up to 256 KiB, as base64 where it is no text." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a cacheGetArgs) (tool.Result, error) {
		if a.Index == nil && a.URL == "" {
			return tool.Result{}, &tool.ArgumentError{Tool: "caches_get", Problems: []string{"an entry is missing: give url or index"}, Valid: []string{"cache (required)", "url", "index", "frame", "session", "timeoutMs"}}
		}
		f, err := d.Open.Frame(ctx, a.Session, a.Frame)
		if err != nil {
			return tool.Result{}, err
		}
		found, err := store.ReadAnswer(ctx, f, a.Cache, a.Index, a.URL, egress.URLs)
		if err != nil {
			return tool.Result{}, err
		}
		r := cachedResult{
			OK: true, Origin: found.Origin, URL: found.URL, Method: found.Method, Status: found.Status, Type: found.Type, Headers: found.Headers,
			Bytes: found.Bytes, Base64: found.Body.Base64, Body: found.Body.Text,
		}
		switch {
		case found.Unreadable:
			r.Note = "an answer of another site that was fetched without leave to read it (opaque): no page can read it"
		case found.Omitted:
			r.Truncated, r.Note = true, "the body is too big to be shown"
		}
		cuts, cut := long.Cut("body", r.Body)
		r.Truncated = r.Truncated || cut
		return tool.Result{Value: r, Cuts: cuts}, nil
	})
}
