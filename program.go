package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	neturl "net/url"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"chaperone/assets"
	"chaperone/browser"
	"chaperone/internal/demo"
	"chaperone/internal/settings"
	"chaperone/internal/workspace"
	"chaperone/server"
	"chaperone/server/listen"
	"chaperone/vault/keeper"
	"chaperone/vault/origin"
	"chaperone/vault/provider"
	"chaperone/vault/store"
)

// kind is what a process of ours is for.
type kind struct {
	pair   bool // new programs ask the person to come in
	elicit bool // questions may go out to a client that offers to put them to its user
	level  slog.Level
}

// program is everything but the transports' doors and the window.
type program struct {
	dir      *workspace.Dir
	settings *settings.Store
	log      *slog.Logger
	browser  *browser.Browser
	keeper   *keeper.Keeper
	server   *server.Server
	listen   *listen.Server
	changed  atomic.Pointer[func()] // told when a client came, went or said its name
	door     *door                  // nil while it is closed
}

// demoSite is the shop of the demo that this process is part of; empty: of none.
var demoSite string

// assemble puts a program together. Nothing is started, and no browser is looked for, before somebody needs one: what clients
// wait for at first is the list of tools.
func assemble(k kind) (p *program, err error) {
	// Small and steady: what lives long here is little, and what a call allocates is soon garbage.
	debug.SetGCPercent(50)
	stderr := &lateWriter{}
	p = &program{log: slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: k.level}))}
	path, err := workspace.Locate(os.Getenv)
	if err != nil {
		return nil, err
	}
	if p.dir, err = workspace.Open(path); err != nil {
		return nil, err
	}
	if p.settings, err = settings.Open(p.dir.Root, os.Getenv); err != nil {
		return nil, err
	}
	for _, notice := range p.settings.Notices() {
		p.log.Warn(notice)
	}
	if p.settings.Bool("noSandbox") {
		p.log.Warn("Chromium runs WITHOUT its sandbox: a page that breaks out of it is free on this machine; unset BROWX_NO_SANDBOX outside of tests")
	}
	p.browser = browser.New(browser.Config{
		Chromium: p.settings.Text("chromium"), Profiles: p.dir.Path("profiles"), Temp: p.dir.Path("run", "private"), Downloads: p.dir.Path("downloads"),
		NoSandbox: p.settings.Bool("noSandbox"), Log: p.log,
	})
	p.keeper = keeper.New(keeper.Config{
		Folder: p.dir.Path("vault"), Place: func() keeper.Place { return keeper.Place(p.settings.Text("vaultPlace")) },
	})
	if demoSite != "" {
		if err := demo.Keep(context.Background(), p.keeper, demoSite); err != nil {
			return nil, err
		}
	}
	p.server, err = server.New(server.Config{
		Version: version, Settings: p.settings, Workspace: p.dir.Root, Browser: p.browser, Log: p.log, Pair: k.pair, Elicit: k.elicit, Vault: p.keeper, Credentials: p.credentials,
	})
	if err != nil {
		return nil, err
	}
	stderr.become(p.server.Masked(os.Stderr))
	p.server.Gate().WarnRisky()
	p.listen = listen.New(listen.Config{
		MCP: p.server.MCP(), Log: p.log, Gone: p.server.ClientGone, Scan: p.server.Scan, Changed: func() {
			if tell := p.changed.Load(); tell != nil {
				(*tell)()
			}
		},
	})
	return p, nil
}

// credentials is the vault that the person chose for sign-ins and codes.
func (p *program) credentials(allow func(context.Context, store.Item) error) (*provider.Hook, error) {
	hook, warnings, err := provider.New(provider.Config{
		Getenv: os.Getenv, Own: p.keeper, Allow: allow, ParseOrigin: func(s string) (string, error) { o, err := origin.Parse(s); return string(o), err },
	})
	for _, w := range warnings {
		p.log.Warn(w)
	}
	// The vault's programs keep what they need of these; browsers must not inherit them.
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if name == "BROWX_OATHTOOL_SEEDS" || name == "BW_SESSION" || strings.HasPrefix(name, "OP_") || strings.HasPrefix(name, "LPASS_") {
			_ = os.Unsetenv(name)
		}
	}
	return hook, err
}

// closeLimit is how long ending may take before the process goes all the same; the browsers die with it.
const closeLimit = 4 * time.Second

// close ends every call, then the browsers, then the connections, and then lets another process take the workspace.
func (p *program) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = p.server.Close(ctx)
		p.browser.Close(ctx)
		p.listen.Close()
	}()
	select {
	case <-done:
	case <-ctx.Done():
		p.log.Warn("not everything ended in time", "after", closeLimit)
	}
	if p.door != nil {
		p.door.close()
	}
}

// door is where a serving process can be reached, until the program closes.
type door struct {
	endpoint workspace.Endpoint
	token    *workspace.Token
	close    func()
}

// open takes the workspace for this process and opens the socket and the HTTP endpoint. ok is false when another process serves it.
func (p *program) open(window bool, show func()) (d *door, ok bool, err error) {
	unlock, ok, err := p.dir.Lock()
	if err != nil || !ok {
		return nil, false, err
	}
	fail := func(err error) (*door, bool, error) {
		unlock()
		return nil, false, err
	}
	token, err := p.dir.Token()
	if err != nil {
		return fail(fmt.Errorf("the token of the HTTP endpoint: %w", err))
	}
	socket, err := p.dir.NewSocket()
	if err != nil {
		return fail(err)
	}
	if err := p.listen.ListenSocket(listen.Socket{Path: socket, Version: version, Show: show}); err != nil {
		return fail(err)
	}
	url, err := p.web(token)
	if err != nil {
		p.dir.Leave()
		return fail(err)
	}
	d = &door{token: token, endpoint: workspace.Endpoint{PID: os.Getpid(), Version: version, Socket: socket, HTTP: url, Window: window}}
	if err := p.dir.SetEndpoint(d.endpoint); err != nil {
		return fail(err)
	}
	d.close = func() {
		p.dir.Leave()
		unlock()
	}
	p.door = d
	return d, true, nil
}

// web opens the HTTP endpoint.
func (p *program) web(token *workspace.Token) (url string, err error) {
	wished := p.settings.Text("httpAddr")
	if url, err = p.listen.ListenHTTP(listen.HTTP{Addr: wished, Token: token.Value}); err != nil {
		return "", err
	}
	_, port, _ := net.SplitHostPort(wished)
	if got, _ := neturl.Parse(url); port != "0" && got.Port() != port {
		p.log.Warn(assets.Say("cli.port", wished, url))
	}
	return url, nil
}
