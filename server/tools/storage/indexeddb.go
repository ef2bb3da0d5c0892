package storage

import (
	"context"
	"encoding/json"

	store "chaperone/browser/storage"
	"chaperone/server/tool"
)

type databasesArgs struct {
	tool.InSession
	tool.Timed
	InFrame
}

func idbListDatabases(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "idb_list_databases", Title: "List IndexedDB databases",
		Does:  "Lists the IndexedDB databases of the page's origin with their versions." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a databasesArgs) (tool.Result, error) {
		f, err := d.Open.Frame(ctx, a.Session, a.Frame)
		if err != nil {
			return tool.Result{}, err
		}
		found, err := store.ListDatabases(ctx, f)
		if err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Value: struct {
			OK bool `json:"ok"`
			store.Databases
		}{true, found}}, nil
	})
}

type storesArgs struct {
	tool.InSession
	tool.Timed
	Database string `json:"database" jsonschema:"its name, from idb_list_databases"`
	InFrame
}

// Words say what the call is aimed at.
func (a *storesArgs) Words() string { return a.Database }

func idbListStores(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "idb_list_stores", Title: "List the stores of a database",
		Does:  "Lists the object stores of an IndexedDB database: key paths, indexes, and how many records each holds." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a storesArgs) (tool.Result, error) {
		f, err := d.Open.Frame(ctx, a.Session, a.Frame)
		if err != nil {
			return tool.Result{}, err
		}
		found, err := store.ListStores(ctx, f, a.Database)
		if err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Value: struct {
			OK bool `json:"ok"`
			store.Stores
		}{true, found}}, nil
	})
}

type recordsArgs struct {
	tool.InSession
	tool.Timed
	Database string          `json:"database" jsonschema:"its name"`
	Store    string          `json:"store" jsonschema:"name of the object store"`
	Key      json.RawMessage `json:"key,omitempty" jsonschema:"only records of this key: a text, a number, a list, or as shown"`
	Index    string          `json:"index,omitempty" jsonschema:"by the keys of this index of the store"`
	Skip     int             `json:"skip,omitempty" jsonschema:"leave out so many first" min:"0" max:"1000000000"`
	Limit    int             `json:"limit,omitempty" jsonschema:"default 50" min:"1" max:"500"`
	InFrame
}

// Words say what the call is aimed at.
func (a *recordsArgs) Words() string { return a.Database + " " + a.Store }

func idbGet(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "idb_get", Title: "Read records of IndexedDB",
		Does: "Returns records of an object store in the order of their keys: the one of a key, or a range by skip and limit. " +
			"What JSON has no words for is an object with $type: dates, maps, blobs, bytes." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a recordsArgs) (tool.Result, error) {
		f, err := d.Open.Frame(ctx, a.Session, a.Frame)
		if err != nil {
			return tool.Result{}, err
		}
		if a.Limit == 0 {
			a.Limit = 50
		}
		found, err := store.ReadRecords(ctx, f, store.Query{Database: a.Database, Store: a.Store, Index: a.Index, Key: a.Key, Skip: a.Skip, Limit: a.Limit})
		if err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Value: struct {
			OK bool `json:"ok"`
			store.Records
		}{true, found}}, nil
	})
}
