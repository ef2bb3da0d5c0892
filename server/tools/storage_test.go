package tools_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// storageSite sets cookies, and keeps things in every storage.
func storageSite(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch q.URL.Path {
		case "/":
			http.SetCookie(w, &http.Cookie{Name: "sid", Value: "s3ss10n", HttpOnly: true, Path: "/", SameSite: http.SameSiteLaxMode})
			http.SetCookie(w, &http.Cookie{Name: "theme", Value: "dark", Path: "/", MaxAge: 3600})
			http.SetCookie(w, &http.Cookie{Name: "deep", Value: "x", Path: "/deep"})
			fmt.Fprint(w, `<title>Storage</title><script>
localStorage.setItem('greeting', 'hello "you"'); localStorage.setItem('a', '1'); localStorage.setItem('', 'empty key'); sessionStorage.setItem('tab', 'one');
window.seen = localStorage.length;
const made = new Promise((done, bad) => {
  const open = indexedDB.open('shop', 3);
  open.onupgradeneeded = () => {
    const orders = open.result.createObjectStore('orders', {keyPath: 'id'});
    orders.createIndex('by customer', 'customer');
    open.result.createObjectStore('loose', {autoIncrement: true});
    open.result.createObjectStore('keys');
  };
  open.onsuccess = () => {
    const db = open.result, tx = db.transaction(['orders', 'loose', 'keys'], 'readwrite');
    for (let i = 1; i <= 120; i++) tx.objectStore('orders').put({id: i, customer: i % 2 ? 'ada' : 'bob', at: new Date(i * 1000)});
    tx.objectStore('loose').put({date: new Date(0), map: new Map([['k', 1n]]), bytes: new Uint8Array([1, 2, 3]), blob: new Blob(['hi'], {type: 'text/plain'}), nan: NaN, not: undefined, set: new Set(['x']), re: /a/g, error: new TypeError('oops')});
    tx.objectStore('keys').put('list', [1, 'two', new Date(5000)]);
    tx.objectStore('keys').put('date', new Date(7000));
    tx.objectStore('keys').put('bytes', new Uint8Array([9, 8]).buffer);
    tx.objectStore('keys').put('number', 5);
    tx.objectStore('keys').put('text', '5');
    tx.oncomplete = () => { db.close(); done('made') };
  };
  open.onerror = () => bad(open.error);
}).then(async () => {
  const cache = await caches.open('v1');
  await cache.put('/data?page=1', new Response('{"n":1}', {headers: {'content-type': 'application/json', 'x-kind': 'test'}}));
  await cache.put('/data?page=2', new Response('{"n":2}'));
  await cache.put('/picture', new Response(new Uint8Array([0, 255, 3]), {headers: {'content-type': 'image/png'}}));
  await cache.put('/long', new Response('a line of text\n'.repeat(40000)));
  await caches.open('empty');
  document.title = 'Ready';
});
</script>`)
		case "/frames":
			fmt.Fprint(w, `<title>Frames</title><iframe name=own src=/leaf></iframe><iframe name=far src="`+strings.Replace("http://"+q.Host, "127.0.0.1", "localhost", 1)+`/leaf"></iframe><iframe name=boxed sandbox="allow-scripts" src=/leaf></iframe>`)
		case "/leaf":
			fmt.Fprint(w, `<script>try { localStorage.setItem('leaf', location.hostname) } catch {}</script>`)
		default:
			fmt.Fprint(w, `<title>Other</title>`)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func storageRig(t *testing.T, env ...string) (*rig, *httptest.Server) {
	s := storageSite(t)
	r := newRig(t, append([]string{"BROWX_CAPABILITIES", withEval}, env...)...)
	r.do("navigate", args{"url": s.URL + "/"})
	r.do("poll_eval", args{"expr": "document.title === 'Ready'", "timeoutMs": 20000})
	return r, s
}

func TestCookieReads(t *testing.T) {
	r, s := storageRig(t)
	got := r.do("cookies_list", nil)
	if got.at("count") != 2.0 || got.at("cookies", 0, "name") != "sid" || got.at("cookies", 0, "httpOnly") != true || got.at("cookies", 0, "sameSite") != "Lax" || got.at("cookies", 0, "expires") != -1.0 ||
		got.at("cookies", 1, "expires").(float64) < float64(time.Now().Unix()) || strings.Contains(got.text, "s3ss10n") || strings.Contains(got.text, "dark") {
		t.Errorf("%s", got.text)
	}
	if got := r.do("cookies_get", args{"name": "sid"}); got.at("count") != 1.0 || got.at("cookies", 0, "value") != "s3ss10n" {
		t.Errorf("%s", got.text)
	}
	if got := r.do("cookies_get", args{"url": s.URL + "/deep/er"}); got.at("count") != 3.0 {
		t.Errorf("%s", got.text)
	}
	if got := r.do("cookies_get", args{"name": "none"}); got.at("count") != 0.0 || got.at("ok") != true {
		t.Errorf("%s", got.text)
	}
	if got := r.do("cookies_get", args{"url": "https://elsewhere.test/"}); got.at("count") != 0.0 {
		t.Errorf("%s", got.text)
	}
	r.refuse("cookies_get", args{"url": "elsewhere"}, "no address", "https://")
	r.refuse("cookies_get", args{"urls": "x"}, "did you mean url")
}

func TestCookiesOffTheList(t *testing.T) {
	s := storageSite(t)
	r := newRig(t, "BROWX_ALLOWED_ORIGINS", s.URL, "BROWX_CONFIRM_REQUIRED", "none")
	r.do("navigate", args{"url": s.URL + "/"})
	r.refuse("cookies_get", args{"url": strings.Replace(s.URL, "127.0.0.1", "localhost", 1)}, "not on the person's list")
}

func TestWebStorageReads(t *testing.T) {
	r, s := storageRig(t)
	got := r.do("localstorage_get", args{"key": "greeting"})
	if got.at("value") != `hello "you"` || got.at("found") != true || got.at("origin") != s.URL || got.at("length") != 11.0 {
		t.Errorf("%s", got.text)
	}
	if got := r.do("localstorage_get", args{"key": "none"}); got.at("found") != false || got.at("value") != nil || got.at("ok") != true {
		t.Errorf("%s", got.text)
	}
	if got := r.do("localstorage_get", args{"key": ""}); got.at("value") != "empty key" {
		t.Errorf("%s", got.text)
	}
	if got := r.do("localstorage_get", nil); got.at("count") != 3.0 || got.at("items", 1, "key") != "a" || got.at("items", 1, "value") != "1" {
		t.Errorf("%s", got.text)
	}
	if got := r.do("localstorage_list", nil); got.at("items", 2, "key") != "greeting" || got.at("items", 2, "length") != 11.0 || strings.Contains(got.text, "hello") {
		t.Errorf("%s", got.text)
	}
	if got := r.do("sessionstorage_get", args{"key": "tab"}); got.at("value") != "one" {
		t.Errorf("%s", got.text)
	}
	if got := r.do("sessionstorage_list", nil); got.at("count") != 1.0 {
		t.Errorf("%s", got.text)
	}
	// A long value is cut behind the mask, at whole lines.
	r.do("eval_js", args{"expr": `localStorage.setItem('long', 'a line of text\n'.repeat(100000)); 1`})
	if got := r.do("localstorage_get", args{"key": "long"}); got.at("truncated") != true || got.at("length") != 1.5e6 || len(got.text) < 200<<10 || len(got.text) > 257<<10 {
		t.Errorf("%d bytes: %.300s", len(got.text), got.text)
	}
	if got := r.do("localstorage_get", nil); len(got.text) > 257<<10 {
		t.Errorf("%d bytes", len(got.text))
	}
	// Frames have storage of their own, or none.
	r.do("navigate", args{"url": s.URL + "/frames", "waitUntil": "load"})
	if got := r.do("localstorage_get", args{"key": "leaf", "frame": "own"}); got.at("value") != "127.0.0.1" {
		t.Errorf("%s", got.text)
	}
	if got := r.do("localstorage_get", args{"key": "leaf", "frame": "far"}); got.at("value") != "localhost" || got.at("origin") == s.URL {
		t.Errorf("%s", got.text)
	}
	for _, name := range []string{"localstorage_list", "sessionstorage_list", "idb_list_databases", "caches_list_storages"} {
		r.refuse(name, args{"frame": "boxed"}, "no origin", "frames_list")
		r.refuse(name, args{"frame": "nope"}, "nope")
	}
}

func TestIndexedDBReads(t *testing.T) {
	r, s := storageRig(t)
	if got := r.do("idb_list_databases", nil); jsonOf(t, got.at("databases")) != `[{"name":"shop","version":3}]` || got.at("origin") != s.URL {
		t.Errorf("%s", got.text)
	}
	got := r.do("idb_list_stores", args{"database": "shop"})
	if got.at("version") != 3.0 || got.at("stores", 2, "name") != "orders" || got.at("stores", 2, "count") != 120.0 || got.at("stores", 2, "keyPath") != "id" || got.at("stores", 1, "autoIncrement") != true ||
		got.at("stores", 2, "indexes", 0, "keyPath") != "customer" {
		t.Errorf("%s", got.text)
	}
	got = r.do("idb_get", args{"database": "shop", "store": "orders", "skip": 10, "limit": 3})
	if got.at("total") != 120.0 || len(got.at("records").([]any)) != 3 || got.at("records", 0, "key") != 11.0 || got.at("records", 0, "value", "customer") != "ada" ||
		jsonOf(t, got.at("records", 0, "value", "at")) != `{"$type":"Date","value":"1970-01-01T00:00:11.000Z"}` {
		t.Errorf("%s", got.text)
	}
	if got := r.do("idb_get", args{"database": "shop", "store": "orders"}); len(got.at("records").([]any)) != 50 {
		t.Errorf("%d records", len(got.at("records").([]any)))
	}
	if got := r.do("idb_get", args{"database": "shop", "store": "orders", "key": 7}); got.at("total") != 1.0 || got.at("records", 0, "value", "id") != 7.0 {
		t.Errorf("%s", got.text)
	}
	// A number that a client sent as a text.
	if got := r.do("idb_get", args{"database": "shop", "store": "orders", "key": "7"}); got.at("records", 0, "value", "id") != 7.0 {
		t.Errorf("%s", got.text)
	}
	if got := r.do("idb_get", args{"database": "shop", "store": "keys", "key": "5"}); got.at("records", 0, "value") != "text" {
		t.Errorf("%s", got.text)
	}
	if got := r.do("idb_get", args{"database": "shop", "store": "orders", "index": "by customer", "key": "bob", "limit": 1}); got.at("total") != 60.0 || got.at("records", 0, "key") != "bob" || got.at("records", 0, "primaryKey") != 2.0 {
		t.Errorf("%s", got.text)
	}
	if got := r.do("idb_get", args{"database": "shop", "store": "orders", "key": 999}); got.at("total") != 0.0 || got.at("ok") != true {
		t.Errorf("%s", got.text)
	}
	got = r.do("idb_get", args{"database": "shop", "store": "loose"})
	want := `{"blob":{"$type":"Blob","mime":"text/plain","size":2},"bytes":{"$type":"Uint8Array","base64":"AQID","length":3},"date":{"$type":"Date","value":"1970-01-01T00:00:00.000Z"},` +
		`"error":{"$type":"Error","message":"oops","name":"TypeError"},"map":{"$type":"Map","entries":[["k",{"$type":"bigint","value":"1"}]],"size":1},"nan":{"$type":"number","value":"NaN"},` +
		`"not":{"$type":"undefined"},"re":{"$type":"RegExp","value":"/a/g"},"set":{"$type":"Set","size":1,"values":["x"]}}`
	if v := jsonOf(t, got.at("records", 0, "value")); v != want {
		t.Errorf("%s", v)
	}
	// Keys as they are shown are taken back.
	got = r.do("idb_get", args{"database": "shop", "store": "keys"})
	list := got.at("records").([]any)
	if len(list) != 5 {
		t.Fatalf("%s", got.text)
	}
	for i := range list {
		one := r.do("idb_get", args{"database": "shop", "store": "keys", "key": got.at("records", i, "key")})
		if one.at("records", 0, "value") != got.at("records", i, "value") || one.at("total") != 1.0 {
			t.Errorf("%s", one.text)
		}
	}
	r.refuse("idb_get", args{"database": "nope", "store": "x"}, "no database", "shop")
	r.refuse("idb_get", args{"database": "shop", "store": "nope"}, "no store", "orders")
	r.refuse("idb_get", args{"database": "shop", "store": "orders", "index": "nope"}, "no index", "by customer")
	r.refuse("idb_get", args{"database": "shop", "store": "orders", "key": args{"a": 1}}, "no key of IndexedDB")
	r.refuse("idb_list_stores", args{"database": "made by asking"}, "no database")
	if got := r.do("eval_js", args{"expr": "indexedDB.databases().then(l => l.length)"}); got.at("value") != 1.0 {
		t.Errorf("reading made a database: %s", got.text)
	}
}

// A database that waits for its upgrade holds nothing up, and reading holds no upgrade up.
func TestIndexedDBWhileItChanges(t *testing.T) {
	r, _ := storageRig(t)
	r.do("eval_js", args{"expr": `await new Promise(done => { const open = indexedDB.open('shop'); open.onsuccess = () => { window.held = open.result; done() } });
window.upgrade = indexedDB.open('shop', 4); upgrade.onsuccess = () => { window.upgraded = true; upgrade.result.close() }; 1`})
	began := time.Now()
	r.refuse("idb_get", args{"database": "shop", "store": "orders", "timeoutMs": 1500}, "did not answer in time", "timeoutMs")
	if took := time.Since(began); took > 1700*time.Millisecond {
		t.Errorf("it took %s", took)
	}
	r.do("eval_js", args{"expr": "held.close(); 1"})
	r.do("poll_eval", args{"expr": "window.upgraded"})
	if got := r.do("idb_list_stores", args{"database": "shop"}); got.at("version") != 4.0 {
		t.Errorf("%s", got.text)
	}
	// Nothing of ours is still open.
	if got := r.do("eval_js", args{"expr": `new Promise((done, bad) => { const gone = indexedDB.deleteDatabase('shop'); gone.onsuccess = () => done('gone'); gone.onblocked = () => bad('blocked') })`}); got.at("value") != "gone" {
		t.Errorf("%s", got.text)
	}
}

func TestCacheReads(t *testing.T) {
	r, s := storageRig(t)
	if got := r.do("caches_list_storages", nil); jsonOf(t, got.at("caches")) != `["v1","empty"]` {
		t.Errorf("%s", got.text)
	}
	got := r.do("caches_list", args{"cache": "v1"})
	if got.at("total") != 4.0 || got.at("entries", 0, "url") != s.URL+"/data?…" || got.at("entries", 0, "status") != 200.0 || got.at("entries", 2, "mimeType") != "image/png" {
		t.Errorf("%s", got.text)
	}
	if got := r.do("caches_list", args{"cache": "v1", "skip": 1, "limit": 1}); got.at("entries", 0, "index") != 1.0 {
		t.Errorf("%s", got.text)
	}
	for _, a := range []args{{"url": s.URL + "/data?page=1"}, {"url": "/data?page=1"}, {"index": 0}} {
		a["cache"] = "v1"
		if got := r.do("caches_get", a); got.at("body") != `{"n":1}` || got.at("headers", "x-kind") != "test" || got.at("status") != 200.0 || got.at("base64Encoded") != false {
			t.Errorf("%v: %s", a, got.text)
		}
	}
	r.refuse("caches_get", args{"cache": "v1", "url": s.URL + "/data?…"}, "2 entries", "index")
	if got := r.do("caches_get", args{"cache": "v1", "url": "/picture"}); got.at("body") != "AP8D" || got.at("base64Encoded") != true || got.at("bytes") != 3.0 {
		t.Errorf("%s", got.text)
	}
	if got := r.do("caches_get", args{"cache": "v1", "url": "/long"}); got.at("truncated") != true || len(got.text) < 200<<10 || len(got.text) > 257<<10 {
		t.Errorf("%d bytes: %.300s", len(got.text), got.text)
	}
	r.refuse("caches_get", args{"cache": "v1", "url": "/none"}, "holds nothing under that url")
	r.refuse("caches_get", args{"cache": "v1", "index": 9}, "no entry 9")
	r.refuse("caches_get", args{"cache": "v1"}, "give url or index")
	r.refuse("caches_list", args{"cache": "nope"}, "no cache", "v1")
	if got := r.do("eval_js", args{"expr": "caches.keys()"}); jsonOf(t, got.at("value")) != `["v1","empty"]` {
		t.Errorf("reading made a cache: %s", got.text)
	}
}

func TestDumpStorageState(t *testing.T) {
	r, s := storageRig(t)
	r.do("navigate", args{"url": s.URL + "/frames", "waitUntil": "load"})
	got := r.do("dump_storage_state", nil)
	names := ""
	for _, c := range got.at("cookies").([]any) {
		names += fmt.Sprint(c.(map[string]any)["name"], "=", c.(map[string]any)["value"], " ")
	}
	if names != "sid=s3ss10n theme=dark deep=x " && names != "deep=x sid=s3ss10n theme=dark " {
		t.Errorf("%s", names)
	}
	if got.at("origins", 0, "origin") != s.URL || got.at("origins", 1, "localStorage", 0, "value") != "localhost" || !strings.Contains(jsonOf(t, got.at("origins", 0, "sessionStorage")), `"tab"`) ||
		!strings.Contains(jsonOf(t, got.at("origins", 0, "localStorage")), `{"name":"greeting","value":"hello \"you\""}`) || len(got.at("origins").([]any)) != 2 {
		t.Errorf("%s", got.text)
	}
}
