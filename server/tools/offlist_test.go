package tools_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestRequestsOffTheListAreCounted(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}))
	defer other.Close()
	own := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<link rel=icon href="data:,"><button onclick="Promise.all([fetch('%s'),fetch('/mine')])">Send</button><iframe src="data:text/html,inner"></iframe>`, other.URL)
	}))
	defer own.Close()
	r := newRig(t, "BROWX_ALLOWED_ORIGINS", own.URL)
	r.do("navigate", args{"url": own.URL})
	if got := r.do("click", args{"selector": "button"}); got.at("network", "summary", "egressOffAllowlist") != 1.0 || got.at("network", "summary", "total") != 2.0 {
		t.Errorf("the click says %v", got.at("network"))
	}
	if got := r.do("network_read", nil); got.at("summary", "egressOffAllowlist") != 1.0 {
		t.Errorf("the list says %v", got.at("summary"))
	}
	if got := r.do("frames_list", nil); got.at("frames", 1, "origin") != "null" {
		t.Errorf("the origin of a data frame is %v", got.at("frames"))
	}
}

func TestASessionIsOpenInOneMode(t *testing.T) {
	r := newRig(t)
	r.refuse("open_session", args{"mode": "persistent"}, "open already", "incognito", "close_session")
	if got := r.do("open_session", args{"mode": "incognito"}); got.at("opened") != false {
		t.Errorf("%s", got.text)
	}
}
