package bridge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"chaperone/server/listen"
)

// Config sets up a bridge.
type Config struct {
	Version string
	// Dial connects to the app, if one runs.
	Dial func() (net.Conn, error)
	// Start starts the app and returns when it can be dialled, or why not. It is called at first, and again when the app was
	// lost without the person having ended it.
	Start func(context.Context) error
	// Log is for whoever reads the client's log of its servers.
	Log io.Writer
}

const (
	// lastWords is how long the app may take for its answers after the client has closed its side.
	lastWords = time.Second
	// restartPause is how long an app that was lost is not started again, so that one that cannot run is not started for ever.
	restartPause = 30 * time.Second
	// shakeTime is how long the app may take to say that it is there.
	shakeTime = 5 * time.Second
	// mostTracked is the longest line of which the bridge remembers that it wants an answer.
	mostTracked = 64 << 20
)

var (
	errEnded = errors.New("Chaperone was ended by the person at this computer; ask them to start it, then call again")
	errLost  = errors.New("Chaperone ended unexpectedly while this was being done; it may or may not have taken effect, so look before you repeat it")
)

// Bridge joins one client with the app.
type Bridge struct {
	cfg Config

	outMu sync.Mutex
	out   io.Writer

	mu        sync.Mutex
	conn      net.Conn
	open      map[string]json.RawMessage // requests without an answer
	empty     chan struct{}              // closed while there are none
	shake     [][]byte                   // what an app that comes later has to be told first
	shakeID   string                     // id of the handshake, whose second answer the client must not see
	ended     bool                       // by the person: only they start it again
	restarted time.Time
	broken    chan error // the client can no longer be written to
}

// Run carries lines until the client closes its side or ctx ends.
func Run(ctx context.Context, in io.Reader, out io.Writer, cfg Config) error {
	b := &Bridge{cfg: cfg, out: out, open: map[string]json.RawMessage{}, empty: make(chan struct{}), broken: make(chan error, 1)}
	close(b.empty)
	if err := b.connect(); err != nil {
		if err := b.start(ctx); err != nil {
			return err
		}
	}
	defer b.hangUp()
	read := make(chan error, 1)
	go func() { read <- b.read(ctx, in) }()
	select {
	case err := <-read:
		if err != nil {
			return err
		}
	case err := <-b.broken:
		return err
	case <-ctx.Done():
		return nil
	}
	// The client has said all it had to say, and may be waiting for the answers.
	b.mu.Lock()
	empty := b.empty
	b.mu.Unlock()
	select {
	case <-empty:
	case <-time.After(lastWords):
	case <-ctx.Done():
	case <-b.broken:
	}
	return nil
}

// read takes the client's lines.
func (b *Bridge) read(ctx context.Context, in io.Reader) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if line[len(line)-1] != '\n' {
				line = append(line, '\n')
			}
			b.take(ctx, line)
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("the client cannot be read: %w", err)
		}
	}
}

// take passes a line of the client on, to an app that may have come back since the last one.
func (b *Bridge) take(ctx context.Context, line []byte) {
	id, method := peek(line)
	wants := method != "" && id != nil && len(line) <= mostTracked
	for {
		conn, err := b.connected(ctx)
		if err != nil {
			if wants {
				b.refuse(id, err)
			}
			return
		}
		if b.note(conn, line, id, method, wants) {
			// When this fails the app is gone; whoever reads from it answers for what is open.
			_, _ = conn.Write(line)
			return
		}
	}
}

// note remembers what is said to the app over conn. It reports false when that app has gone meanwhile.
func (b *Bridge) note(conn net.Conn, line []byte, id json.RawMessage, method string, wants bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn != conn {
		return false
	}
	switch method {
	case "initialize":
		b.shake, b.shakeID = [][]byte{line}, string(id)
	case "notifications/initialized":
		b.shake = append(b.shake, line)
	}
	if wants {
		if len(b.open) == 0 {
			b.empty = make(chan struct{})
		}
		b.open[string(id)] = id
	}
	return true
}

// connected returns the connection to the app, which it makes where there is none.
func (b *Bridge) connected(ctx context.Context) (net.Conn, error) {
	b.mu.Lock()
	conn, ended, restarted := b.conn, b.ended, b.restarted
	b.mu.Unlock()
	if conn != nil {
		return conn, nil
	}
	err := b.connect()
	if err != nil && !ended && time.Since(restarted) > restartPause {
		b.mu.Lock()
		b.restarted = time.Now()
		b.mu.Unlock()
		b.log("starting the app again")
		err = b.start(ctx)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.conn != nil:
		return b.conn, nil
	case ended:
		return nil, errEnded
	default:
		return nil, fmt.Errorf("Chaperone does not run and cannot be reached (%w); ask the person to start it, then call again", err)
	}
}

func (b *Bridge) start(ctx context.Context) error {
	if err := b.cfg.Start(ctx); err != nil {
		return err
	}
	return b.connect()
}

// connect joins an app that runs. One that is not the first is told what the client said at the beginning.
func (b *Bridge) connect() error {
	conn, err := b.cfg.Dial()
	if err != nil {
		return err
	}
	_ = conn.SetDeadline(time.Now().Add(shakeTime))
	from := bufio.NewReaderSize(conn, 64<<10)
	_, err = conn.Write(listen.Hello{Chaperone: listen.Join, Version: b.cfg.Version, PID: os.Getpid()}.Line())
	if err == nil {
		var line []byte
		line, err = from.ReadBytes('\n')
		if h, ok := listen.ParseHello(line); err == nil && (!ok || h.Chaperone != listen.Welcome) {
			err = errors.New("what listens at the app's socket is not Chaperone")
		}
	}
	if err != nil {
		return errors.Join(err, conn.Close())
	}
	_ = conn.SetDeadline(time.Time{})
	b.mu.Lock()
	swallow := ""
	for _, line := range b.shake {
		if _, err := conn.Write(line); err != nil {
			b.mu.Unlock()
			return errors.Join(err, conn.Close())
		}
		swallow = b.shakeID
	}
	b.conn, b.ended = conn, false
	b.mu.Unlock()
	go b.follow(conn, from, swallow)
	if swallow != "" {
		b.log("the app is back")
	}
	return nil
}

// follow passes on what the app says, until it is gone.
func (b *Bridge) follow(conn net.Conn, from *bufio.Reader, swallow string) {
	why := errLost
	for {
		line, err := from.ReadBytes('\n')
		if err != nil {
			break
		}
		if h, ours := listen.ParseHello(line); ours {
			if h.Chaperone == listen.Bye {
				why = errEnded
			}
			continue
		}
		id, method := peek(line)
		if method == "" && id != nil {
			if swallow != "" && string(id) == swallow {
				swallow = ""
				// Other tools may be on in the app that came back.
				b.write([]byte(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}` + "\n"))
				continue
			}
			b.answered(id)
		}
		b.write(line)
		b.settle()
	}
	_ = conn.Close()
	b.mu.Lock()
	if b.conn != conn {
		b.mu.Unlock()
		return // hung up by ourselves
	}
	b.conn = nil
	b.ended = why == errEnded
	open := b.open
	b.open = map[string]json.RawMessage{}
	b.mu.Unlock()
	if why == errEnded {
		b.log("the app was ended by the person; this goes on when it is started again")
	} else {
		b.log("the app is gone; it is started again when the client needs it")
	}
	for _, id := range open {
		b.refuse(id, why)
	}
	b.settle()
}

func (b *Bridge) answered(id json.RawMessage) {
	b.mu.Lock()
	delete(b.open, string(id))
	b.mu.Unlock()
}

// settle tells Run when the last answer has been written.
func (b *Bridge) settle() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.open) > 0 {
		return
	}
	select {
	case <-b.empty:
	default:
		close(b.empty)
	}
}

func (b *Bridge) hangUp() {
	b.mu.Lock()
	conn := b.conn
	b.conn = nil
	b.mu.Unlock()
	if conn != nil {
		_ = conn.Close()
	}
}

// refuse answers a request in the app's place.
func (b *Bridge) refuse(id json.RawMessage, why error) {
	reply, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": -32000, "message": why.Error()}})
	if err == nil {
		b.write(append(reply, '\n'))
	}
}

func (b *Bridge) write(line []byte) {
	b.outMu.Lock()
	defer b.outMu.Unlock()
	if _, err := b.out.Write(line); err != nil {
		select {
		case b.broken <- fmt.Errorf("the client is gone: %w", err):
		default:
		}
	}
}

func (b *Bridge) log(words string) {
	if b.cfg.Log != nil {
		fmt.Fprintf(b.cfg.Log, "chaperone: %s\n", words)
	}
}

// peek finds the id and the method of a message, and reads no more of it than it must: results are long.
func peek(line []byte) (id json.RawMessage, method string) {
	dec := json.NewDecoder(bytes.NewReader(line))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, ""
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, ""
		}
		switch key {
		case "id":
			if dec.Decode(&id) != nil || string(id) == "null" {
				return nil, method
			}
		case "method":
			if dec.Decode(&method) != nil {
				return id, ""
			}
		case "result", "error":
			if id != nil {
				return id, ""
			}
			fallthrough
		default:
			var skip json.RawMessage
			if dec.Decode(&skip) != nil {
				return id, method
			}
		}
		if id != nil && method != "" {
			return id, method
		}
	}
	return id, method
}
