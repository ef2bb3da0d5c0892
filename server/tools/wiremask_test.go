package tools_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A registered value leaves by none of these tools, whole or in part, also where a body is cut in the middle of it.
func TestMaskedReads(t *testing.T) {
	const value = "Tr0ub4dor-and-3"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		var at int
		if _, err := fmt.Sscanf(q.URL.Path, "/at/%d", &at); err == nil {
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, strings.Repeat("x", at), value, strings.Repeat("y", 100<<10))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		http.SetCookie(w, &http.Cookie{Name: "pw", Value: value, Path: "/"})
		fmt.Fprintf(w, `<title>Echo</title><script>
localStorage.setItem('%[1]s', 'is %[1]s'); sessionStorage.setItem('pw', '%[1]s');
const made = new Promise(done => { const open = indexedDB.open('db'); open.onupgradeneeded = () => open.result.createObjectStore('s'); open.onsuccess = () => {
  const tx = open.result.transaction('s', 'readwrite'); tx.objectStore('s').put({pw: '%[1]s', bytes: new TextEncoder().encode('x%[1]s')}, '%[1]s'); tx.oncomplete = done } })
  .then(() => caches.open('c')).then(c => c.put('/pw/%[1]s', new Response('%[1]s', {headers: {'x-pw': '%[1]s'}}))).then(() => document.title = 'Ready');
</script>`, value)
	}))
	t.Cleanup(s.Close)
	r := newRig(t, "BROWX_CAPABILITIES", withBodies+",secrets")
	r.do("register_secret", args{"name": "PW", "value": value})
	r.do("navigate", args{"url": s.URL + "/"})
	r.do("poll_eval", args{"expr": "document.title === 'Ready'", "timeoutMs": 20000})
	leaks := func(got result) {
		t.Helper()
		for i := 0; i+6 <= len(value); i++ {
			if strings.Contains(got.text, value[i:i+6]) {
				t.Errorf("%q leaves: %.300s", value[i:i+6], got.text)
				return
			}
		}
	}
	for name, a := range map[string]args{
		"cookies_get": {}, "localstorage_get": {}, "localstorage_list": {}, "sessionstorage_get": {"key": "pw"}, "idb_get": {"database": "db", "store": "s"},
		"caches_list": {"cache": "c"}, "caches_get": {"cache": "c", "index": 0}, "dump_storage_state": {},
		"eval_js": {"expr": "({['" + "k' + localStorage.key(0)]: [...Object.values(localStorage)], split: document.cookie.slice(3)})"},
	} {
		got := r.do(name, a)
		leaks(got)
		if !strings.Contains(got.text, "<PW>") {
			t.Errorf("%s: %.300s", name, got.text)
		}
	}
	leaks(r.try("eval_js", args{"expr": "throw new Error(sessionStorage.pw)"}))
	leaks(r.try("poll_eval", args{"expr": "{throw sessionStorage.pw}", "timeoutMs": 400}))
	r.refuse("eval_js", args{"expr": "<PW>"}, "<PW> was not used")
	for _, at := range []int{10, 244<<10 - 20, 244<<10 - 10, 244<<10 - 5, 244<<10 - 3, 256<<10 - 7} {
		r.do("eval_js", args{"expr": fmt.Sprintf("fetch('/at/%d').then(a => a.text()).then(t => t.length)", at)})
		got := r.do("network_body", args{"requestId": r.request(fmt.Sprintf("/at/%d", at))})
		leaks(got)
		if got.at("truncated") != (at > 100<<10) && at != 10 || len(got.text) < 100<<10 || got.at("resultTruncated") != nil {
			t.Errorf("at %d: %d bytes, %v, %v", at, len(got.text), got.at("truncated"), got.at("resultTruncated"))
		}
	}
}
