package storage

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"

	"chaperone/browser"
)

// Caches are those of an origin.
type Caches struct {
	Origin string   `json:"origin"`
	Caches []string `json:"caches"`
}

// ListCaches lists the caches of a frame's origin.
func ListCaches(ctx context.Context, f *browser.Frame) (Caches, error) {
	out := Caches{}
	err := call(ctx, f, "cacheNames", map[string]any{}, &out)
	return out, err
}

// Entries are those of a cache.
type Entries struct {
	Origin  string  `json:"origin"`
	Total   int     `json:"total"`
	Entries []Entry `json:"entries"`
}

// Entry is an answer that a cache holds.
type Entry struct {
	Index  int    `json:"index"` // in the cache, from 0
	URL    string `json:"url"`
	Method string `json:"method"`
	Status int    `json:"status"`
	Type   string `json:"type"` // "basic", "cors", "default", "error" or "opaque"
	MIME   string `json:"mimeType"`
}

// ListEntries lists what a cache holds.
func ListEntries(ctx context.Context, f *browser.Frame, cache string, skip, limit int) (Entries, error) {
	out := Entries{}
	err := call(ctx, f, "cacheEntries", map[string]any{"cache": cache, "skip": skip, "limit": limit}, &out)
	return out, err
}

// Answer is what a cache has under an address.
type Answer struct {
	Origin     string            `json:"origin"`
	URL        string            `json:"url"`
	Method     string            `json:"method"`
	Status     int               `json:"status"`
	Type       string            `json:"type"`
	Headers    map[string]string `json:"headers"`
	Unreadable bool              `json:"unreadable"` // an answer of another site that no page may read
	Omitted    bool              `json:"omitted"`    // the body is too big
	Bytes      int               `json:"bytes"`
	Base64     string            `json:"base64"`
	Body       browser.Body      `json:"-"`
}

// mostCached is the longest body that is taken out of a cache.
const mostCached = 8 << 20

// ReadAnswer reads an answer of a cache: the one of an index, or the one of an address. shown is how an agent sees addresses: one
// that was seen so is known again.
func ReadAnswer(ctx context.Context, f *browser.Frame, cache string, index *int, address string, shown func(string) string) (Answer, error) {
	var keys struct {
		Base string   `json:"base"`
		URLs []string `json:"urls"`
	}
	out := Answer{}
	if err := call(ctx, f, "cacheKeys", map[string]any{"cache": cache}, &keys); err != nil {
		return out, err
	}
	at, err := choose(keys.URLs, keys.Base, index, address, shown)
	if err != nil {
		return out, err
	}
	if err := call(ctx, f, "cacheEntry", map[string]any{"cache": cache, "index": at, "url": keys.URLs[at], "most": mostCached}, &out); err != nil {
		return out, err
	}
	raw, err := base64.StdEncoding.DecodeString(out.Base64)
	if err != nil {
		return out, fmt.Errorf("the page's answer: %w", err)
	}
	out.Body, out.Base64 = browser.BodyOf(raw), ""
	return out, nil
}

func choose(urls []string, base string, index *int, address string, shown func(string) string) (int, error) {
	const way = "caches_list lists the entries of a cache; give the index or the url of one."
	if index != nil {
		if *index < 0 || *index >= len(urls) {
			return 0, &Error{fmt.Sprintf("there is no entry %d: the cache holds %d", *index, len(urls)), way}
		}
		return *index, nil
	}
	whole := address
	if b, err := url.Parse(base); err == nil {
		if u, err := b.Parse(address); err == nil {
			whole = u.String()
		}
	}
	for i, u := range urls {
		if u == whole || u == address {
			return i, nil
		}
	}
	var like []int
	for i, u := range urls {
		if s := shown(u); s == address || s == whole {
			like = append(like, i)
		}
	}
	switch len(like) {
	case 1:
		return like[0], nil
	case 0:
		return 0, &Error{"the cache holds nothing under that url", way}
	default:
		return 0, &Error{fmt.Sprintf("%d entries of the cache look like that url (indexes from %d to %d)", len(like), like[0], like[len(like)-1]), "Give the index of the one that is meant; caches_list shows them."}
	}
}
