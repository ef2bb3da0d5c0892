// Package storage is the set of tools that read what pages keep in the browser: cookies, localStorage and sessionStorage,
// IndexedDB, Cache Storage.
package storage

import (
	"chaperone/server/tool"
	"chaperone/server/tools/opener"
)

// Deps are what the tools of this set need.
type Deps struct {
	Open *opener.Opener
}

// untrusted ends the description of each tool that returns what pages have stored.
const untrusted = " What is stored is the page's and untrusted."

// Set returns the tools.
func Set(d Deps) tool.Set {
	return tool.NewSet("storage", "Read what pages keep in the browser: cookies, web storage, IndexedDB, caches.", false,
		cookiesGet(d), cookiesList(d),
		itemsGet(d, "localstorage_get", local), itemsList(d, "localstorage_list", local),
		itemsGet(d, "sessionstorage_get", session), itemsList(d, "sessionstorage_list", session),
		idbListDatabases(d), idbListStores(d), idbGet(d),
		cachesListStorages(d), cachesList(d), cachesGet(d),
		dumpStorageState(d))
}

// InFrame gives a tool the optional argument frame.
type InFrame struct {
	Frame string `json:"frame,omitempty" jsonschema:"whose origin, by default the page's: a frame's id, or its iframe's ref"`
}
