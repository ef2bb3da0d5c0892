package workspace

import (
	"crypto/rand"
	"encoding/base64"
	"os"
	"runtime"
	"strings"
	"sync"
)

// Token is the secret that HTTP clients show. It lives in run/token and outlasts a restart.
type Token struct {
	dir *Dir

	mu    sync.RWMutex
	value string
}

const tokenBytes = 32

// Token reads the token, or makes one where there is none, it is damaged, or others could have read it.
func (d *Dir) Token() (*Token, error) {
	t := &Token{dir: d}
	if value, ok := d.readToken(); ok {
		t.value = value
		return t, nil
	}
	return t, t.Renew()
}

func (d *Dir) readToken() (string, bool) {
	path := d.run("token")
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || (runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0) {
		return "", false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", false
	}
	value := strings.TrimSpace(string(data))
	raw, err := base64.RawURLEncoding.DecodeString(value)
	return value, err == nil && len(raw) == tokenBytes
}

// Value returns the token of this moment.
func (t *Token) Value() string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.value
}

// Renew makes a new token; the old one is refused from now on.
func (t *Token) Renew() error {
	raw := make([]byte, tokenBytes)
	if _, err := rand.Read(raw); err != nil {
		return err
	}
	value := base64.RawURLEncoding.EncodeToString(raw)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.dir.write("token", []byte(value+"\n")); err != nil {
		return err
	}
	t.value = value
	return nil
}
