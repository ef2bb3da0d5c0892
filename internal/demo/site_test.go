package demo

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

func visit(t *testing.T, method string, client *http.Client, address string, form url.Values) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

func TestOrdersWantASignIn(t *testing.T) {
	site, err := Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}

	if _, page := visit(t, "GET", client, site.URL+"orders", nil); !strings.Contains(page, "Sign in</button>") {
		t.Fatalf("without a sign-in the orders show:\n%s", page)
	}
	if _, page := visit(t, "POST", client, site.URL+"sign-in", url.Values{"email": {"a@example.com"}}); !strings.Contains(page, "Sign in</button>") {
		t.Fatalf("without a password the shop shows:\n%s", page)
	}
	form := url.Values{"email": {user}, "password": {password}}
	if _, page := visit(t, "POST", client, site.URL+"sign-in", form); !strings.Contains(page, "one-time-code") {
		t.Fatalf("the password is followed by:\n%s", page)
	}
	if _, page := visit(t, "POST", client, site.URL+"code", url.Values{"code": {"12345"}}); !strings.Contains(page, "That code is not right") {
		t.Fatalf("a wrong code is followed by:\n%s", page)
	}
	code, err := codes().At(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	_, page := visit(t, "POST", client, site.URL+"code", url.Values{"code": {code.Text}})
	for _, want := range []string{"Signed in as robin@example.com", "Bramble &amp; Sons", fmt.Sprintf("http://localhost:%d/delivery", site.port), "<order-tax>", `target="_blank"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the orders lack %q:\n%s", want, page)
		}
	}
	if seen := site.Seen(); !slices.Equal(seen, []string{"a wrong password", "password of robin@example.com", "a wrong code", "signed in: robin@example.com"}) {
		t.Errorf("the shop saw %q", seen)
	}
}

func TestWhatReachesTheShop(t *testing.T) {
	site, err := Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	visit(t, "POST", http.DefaultClient, site.URL+"note", url.Values{"note": {"ring twice"}})
	visit(t, "POST", http.DefaultClient, site.URL+"pay", nil)
	begun := time.Now()
	if _, lines := visit(t, "GET", http.DefaultClient, site.URL+"history", nil); !strings.Contains(lines, "Order 999 was returned.") {
		t.Errorf("history: %s", lines)
	}
	if took := time.Since(begun); took < slowness {
		t.Errorf("the slow request took only %v", took)
	}
	if code, _ := visit(t, "GET", http.DefaultClient, site.URL+"pay", nil); code != http.StatusMethodNotAllowed {
		t.Errorf("looking at the payment answers %d", code)
	}
	want := []string{"delivery note: ring twice", "invoice 7731 paid", "history loaded"}
	if seen := site.Seen(); !slices.Equal(seen, want) {
		t.Errorf("the shop saw %q, want %q", seen, want)
	}
}

func TestEveryPageAndScriptIsServed(t *testing.T) {
	site, err := Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"": "Fernhill Market: sign in", "help": "four in the afternoon", "delivery": "Delivery note",
		"style.css": "color-scheme", "orders.js": "order-tax", "delivery.js": "Note saved.",
	} {
		if code, body := visit(t, "GET", http.DefaultClient, site.URL+path, nil); code != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("/%s answers %d without %q:\n%s", path, code, want, body)
		}
	}
	if code, _ := visit(t, "GET", http.DefaultClient, site.URL+"site.go", nil); code != http.StatusNotFound {
		t.Errorf("an unknown page answers %d", code)
	}
}

func TestTheShopEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	site, err := Serve(ctx)
	if err != nil {
		t.Fatal(err)
	}
	visit(t, "GET", http.DefaultClient, site.URL, nil)
	cancel()
	http.DefaultClient.CloseIdleConnections()
	deadline := time.Now().Add(10 * time.Second)
	for {
		if _, err := http.Get(site.URL); err != nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the shop still answers")
		}
	}
}
