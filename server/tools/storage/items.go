package storage

import (
	"context"

	store "chaperone/browser/storage"
	"chaperone/server/tool"
	"chaperone/server/tools/long"
)

// area is localStorage or sessionStorage.
type area struct {
	name    string
	session bool
}

var local, session = area{"localStorage", false}, area{"sessionStorage", true}

type itemsGetArgs struct {
	tool.InSession
	tool.Timed
	Key *string `json:"key,omitempty" jsonschema:"the entry; without it all entries with their values"`
	InFrame
}

// Words say what the call is aimed at.
func (a *itemsGetArgs) Words() string {
	if a.Key == nil {
		return ""
	}
	return *a.Key
}

type itemsListArgs struct {
	tool.InSession
	tool.Timed
	InFrame
}

func itemsGet(d Deps, name string, where area) tool.Tool {
	return tool.New(tool.Info{
		Name: name, Title: "Read " + where.name,
		Does:  "Returns the value of an entry of the page's " + where.name + ", or all entries with their values. They may hold sign-ins." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a itemsGetArgs) (tool.Result, error) {
		f, err := d.Open.Frame(ctx, a.Session, a.Frame)
		if err != nil {
			return tool.Result{}, err
		}
		found, err := store.ReadItems(ctx, f, where.session, a.Key, true)
		if err != nil {
			return tool.Result{}, err
		}
		if a.Key == nil {
			return itemsResult(found), nil
		}
		r := itemResult{OK: true, Origin: found.Origin, Key: *a.Key}
		var cuts []tool.Cut
		if len(found.Items) > 0 {
			r.Found, r.Length, r.Value = true, found.Items[0].Length, found.Items[0].Value
			r.Truncated = found.Truncated
			if r.Value != nil {
				var cut bool
				cuts, cut = long.Cut("value", *r.Value)
				r.Truncated = r.Truncated || cut
			}
		}
		return tool.Result{Value: r, Cuts: cuts}, nil
	})
}

type itemResult struct {
	OK        bool    `json:"ok"`
	Origin    string  `json:"origin"`
	Key       string  `json:"key"`
	Found     bool    `json:"found"`
	Length    int     `json:"length"`
	Truncated bool    `json:"truncated"`
	Value     *string `json:"value"` // null where there is none
}

func itemsList(d Deps, name string, where area) tool.Tool {
	return tool.New(tool.Info{
		Name: name, Title: "List " + where.name,
		Does:  "Lists the keys of the page's " + where.name + " with the lengths of their values." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a itemsListArgs) (tool.Result, error) {
		f, err := d.Open.Frame(ctx, a.Session, a.Frame)
		if err != nil {
			return tool.Result{}, err
		}
		found, err := store.ReadItems(ctx, f, where.session, nil, false)
		if err != nil {
			return tool.Result{}, err
		}
		return itemsResult(found), nil
	})
}

func itemsResult(found store.Items) tool.Result {
	return tool.Result{Value: struct {
		OK        bool         `json:"ok"`
		Origin    string       `json:"origin"`
		Count     int          `json:"count"`
		Truncated bool         `json:"truncated"`
		Items     []store.Item `json:"items"`
	}{true, found.Origin, len(found.Items), found.Truncated, found.Items}}
}
