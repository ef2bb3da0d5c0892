package storage

import (
	"context"
	"encoding/json"

	"chaperone/browser"
)

// Databases are those of an origin.
type Databases struct {
	Origin    string     `json:"origin"`
	Databases []Database `json:"databases"`
}

// Database is one of IndexedDB.
type Database struct {
	Name    string `json:"name"`
	Version int64  `json:"version"`
}

// ListDatabases lists the IndexedDB databases of a frame's origin.
func ListDatabases(ctx context.Context, f *browser.Frame) (Databases, error) {
	out := Databases{}
	err := call(ctx, f, "idbDatabases", map[string]any{"ms": left(ctx)}, &out)
	return out, err
}

// Stores are those of a database.
type Stores struct {
	Origin   string  `json:"origin"`
	Database string  `json:"database"`
	Version  int64   `json:"version"`
	Stores   []Store `json:"stores"`
}

// Store is an object store.
type Store struct {
	Name          string          `json:"name"`
	KeyPath       json.RawMessage `json:"keyPath"` // a text, a list of texts, or null
	AutoIncrement bool            `json:"autoIncrement"`
	Count         int             `json:"count"`
	Indexes       []Index         `json:"indexes"`
}

// Index is one of a store.
type Index struct {
	Name       string          `json:"name"`
	KeyPath    json.RawMessage `json:"keyPath"`
	Unique     bool            `json:"unique"`
	MultiEntry bool            `json:"multiEntry"`
}

// ListStores lists the stores of a database.
func ListStores(ctx context.Context, f *browser.Frame, database string) (Stores, error) {
	out := Stores{}
	err := call(ctx, f, "idbStores", map[string]any{"database": database, "ms": left(ctx)}, &out)
	return out, err
}

// Query says which records are wanted.
type Query struct {
	Database string
	Store    string
	Index    string
	Key      json.RawMessage // nil: all
	Skip     int
	Limit    int
}

// Records are records of a store.
type Records struct {
	Origin    string   `json:"origin"`
	Total     int      `json:"total"` // that match
	Records   []Record `json:"records"`
	Truncated bool     `json:"truncated"` // parts of values are left out, since all would be too much
}

// Record is one of a store. Where JSON has no words for a value it is an object with "$type".
type Record struct {
	Key        json.RawMessage `json:"key"`
	PrimaryKey json.RawMessage `json:"primaryKey,omitempty"` // where Key is that of an index
	Value      json.RawMessage `json:"value"`
}

// ReadRecords reads records in the order of their keys.
func ReadRecords(ctx context.Context, f *browser.Frame, q Query) (Records, error) {
	args := map[string]any{"database": q.Database, "store": q.Store, "skip": q.Skip, "limit": q.Limit, "ms": left(ctx)}
	if q.Index != "" {
		args["index"] = q.Index
	}
	if len(q.Key) > 0 {
		args["key"] = q.Key
	}
	out := Records{}
	err := call(ctx, f, "idbRecords", args, &out)
	return out, err
}
