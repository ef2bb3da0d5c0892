package demo

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

//go:embed site
var siteFiles embed.FS

// slowness is how long the shop takes for its history: long enough to tell waiting from guessing.
const slowness = 1200 * time.Millisecond

// Site is the demo shop, on a port of its own on the loopback interface.
type Site struct {
	// URL is the sign-in page.
	URL string

	pages *template.Template
	port  int
	http  *http.Server

	mu   sync.Mutex
	seen []string
}

type order struct{ Number, Customer, Total, State string }

var orders = []order{
	{"1001", "Ada Winter", "18.50 €", "packed"},
	{"1002", "Bo Lindqvist", "7.20 €", "packed"},
	{"1003", "Bramble & Sons", "42.00 €", "waiting for payment"},
}

var history = []string{"Order 1000 was delivered on Monday.", "Order 999 was returned.", "Order 998 was delivered."}

// Serve starts the shop and ends it with ctx.
func Serve(ctx context.Context) (*Site, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("demo site: no free port on the loopback interface: %w", err)
	}
	files, err := fs.Sub(siteFiles, "site")
	if err != nil {
		return nil, err
	}
	pages, err := template.ParseFS(files, "*.html")
	if err != nil {
		return nil, fmt.Errorf("demo site: %w", err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	site := &Site{URL: fmt.Sprintf("http://127.0.0.1:%d/", port), pages: pages, port: port}
	site.http = &http.Server{
		Handler:           site.routes(files),
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	go func() {
		if err := site.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			site.note("stopped: " + err.Error())
		}
	}()
	context.AfterFunc(ctx, func() { site.http.Close() })
	return site, nil
}

// Seen lists what reached the shop, oldest first: what really happened, whatever an agent says.
func (s *Site) Seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

func (s *Site) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, what)
}

func (s *Site) routes(files fs.FS) http.Handler {
	mux := http.NewServeMux()
	for _, name := range []string{"style.css", "orders.js", "delivery.js"} {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, name) })
	}
	mux.HandleFunc("GET /{$}", s.page("sign-in.html"))
	mux.HandleFunc("POST /sign-in", s.signIn)
	mux.HandleFunc("POST /code", s.code)
	mux.HandleFunc("GET /orders", s.orders)
	mux.HandleFunc("GET /delivery", s.page("delivery.html"))
	mux.HandleFunc("GET /help", s.page("help.html"))
	mux.HandleFunc("POST /note", func(w http.ResponseWriter, r *http.Request) { s.note("delivery note: " + r.FormValue("note")) })
	mux.HandleFunc("POST /pay", func(http.ResponseWriter, *http.Request) { s.note("invoice 7731 paid") })
	mux.HandleFunc("GET /history", s.history)
	return mux
}

func (s *Site) page(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { s.show(w, name, nil) }
}

func (s *Site) show(w http.ResponseWriter, name string, data any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := s.pages.ExecuteTemplate(w, name, data); err != nil {
		s.note(name + ": " + err.Error())
	}
}

const cookieName = "fernhill"

func (s *Site) signIn(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("email") != user || r.FormValue("password") != password {
		s.note("a wrong password")
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	s.note("password of " + user)
	s.show(w, "code.html", map[string]any{"Wrong": false})
}

func (s *Site) code(w http.ResponseWriter, r *http.Request) {
	if !goodCode(r.FormValue("code")) {
		s.note("a wrong code")
		s.show(w, "code.html", map[string]any{"Wrong": true})
		return
	}
	s.note("signed in: " + user)
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: user, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	http.Redirect(w, r, "/orders", http.StatusSeeOther)
}

func (s *Site) orders(w http.ResponseWriter, r *http.Request) {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	// The same server under its other name is another site to a browser, so the frame runs in a process of its own.
	frame := fmt.Sprintf("http://localhost:%d/delivery", s.port)
	s.show(w, "orders.html", map[string]any{"Email": cookie.Value, "Orders": orders, "Frame": frame})
}

func (s *Site) history(w http.ResponseWriter, r *http.Request) {
	select {
	case <-time.After(slowness):
	case <-r.Context().Done():
		return
	}
	s.note("history loaded")
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(history); err != nil {
		s.note("history: " + err.Error())
	}
}
