package provider

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"chaperone/vault"
)

// cli is an installed program that a provider asks.
type cli struct {
	provider, program string
	// override is the program's path from BROWX_<PROVIDER>_BIN, if set.
	override string
	env      []string
	limit    time.Duration
}

func newCLI(provider, program string, getenv func(string) string) cli {
	return cli{provider, program, strings.TrimSpace(getenv(binVariable(provider))), environment(provider, os.Environ()), Limit}
}

// always are the variables that any program needs; the rest of the environment, other keys in it, stays here.
var always = map[string]bool{
	"PATH": true, "HOME": true, "USER": true, "LOGNAME": true, "LANG": true, "LANGUAGE": true, "TZ": true, "TMPDIR": true,
	"SSL_CERT_FILE": true, "SSL_CERT_DIR": true, "NODE_EXTRA_CA_CERTS": true,
	"XDG_CONFIG_HOME": true, "XDG_DATA_HOME": true, "XDG_CACHE_HOME": true, "XDG_STATE_HOME": true, "XDG_RUNTIME_DIR": true,
	// Windows
	"SYSTEMROOT": true, "SYSTEMDRIVE": true, "WINDIR": true, "COMSPEC": true, "PATHEXT": true, "TEMP": true, "TMP": true, "USERPROFILE": true,
	"USERNAME": true, "HOMEDRIVE": true, "HOMEPATH": true, "APPDATA": true, "LOCALAPPDATA": true, "PROGRAMDATA": true,
}

// ownVariables are those of each program; * stands for the rest of a name.
var ownVariables = map[string][]string{
	OnePassword: {"OP_*"},
	Bitwarden:   {"BW_SESSION", "BITWARDENCLI_APPDATA_DIR"},
	LastPass:    {"LPASS_*"},
}

// never are those of them that would change what a program writes, or make it ask.
var never = map[string]bool{"OP_FORMAT": true, "OP_DEBUG": true, "LPASS_ASKPASS": true, "LPASS_DISABLE_PINENTRY": true, "LPASS_LOG_LEVEL": true}

// environment picks what a program gets.
func environment(provider string, all []string) []string {
	var env []string
	for _, kv := range all {
		name, value, _ := strings.Cut(kv, "=")
		upper := strings.ToUpper(name)
		take := always[upper] || strings.HasPrefix(upper, "LC_")
		switch upper {
		case "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY": // but no password of a proxy
			take = provider != OATHTool && !strings.Contains(value, "@")
		}
		for _, pattern := range ownVariables[provider] {
			prefix, open := strings.CutSuffix(pattern, "*")
			take = take || name == pattern || open && strings.HasPrefix(name, prefix)
		}
		if take && !never[name] {
			env = append(env, kv)
		}
	}
	switch provider {
	case Bitwarden:
		env = append(env, "BW_NOINTERACTION=true")
	case LastPass:
		env = append(env, "LPASS_DISABLE_PINENTRY=1") // no window of lpass's own that asks for the master password
	}
	return env
}

const (
	mostOut = 1 << 20 // bytes of output; an item with long notes has some thousand
	mostErr = 16 << 10
)

// result is what a program did. Neither out nor said may get into a Failure.
type result struct {
	out  []byte
	said string // standard error, in lower case
	code int
}

// path finds the program.
func (c cli) path() (string, *Failure) {
	name := c.program
	if c.override != "" {
		name = c.override
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", notInstalled(c.provider, c.program, c.override)
	}
	return path, nil
}

// run starts the program with fixed arguments and hands it stdin, or a closed input. It returns when the program has ended, at
// most after the limit, and leaves no process of its group behind. A program that ended with an error is no error here: result
// has its code.
func (c cli) run(ctx context.Context, stdin vault.Secret, args ...string) (result, error) {
	path, f := c.path()
	if f != nil {
		return result{}, f
	}
	limited, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	cmd := exec.CommandContext(limited, path, args...)
	cmd.Env = c.env
	cmd.Dir = os.TempDir() // not where it could find files of ours
	out, said := bounded{most: mostOut, full: cancel}, bounded{most: mostErr}
	cmd.Stdout, cmd.Stderr = &out, &said
	if !stdin.Empty() {
		_ = stdin.Use(func(v string) error {
			cmd.Stdin = strings.NewReader(v + "\n")
			return nil
		})
	}
	g := ownGroup(cmd)
	cmd.Cancel = g.kill
	cmd.WaitDelay = 300 * time.Millisecond // for pipes that a child of its own session keeps open
	err := cmd.Start()
	if err == nil {
		g.started()
		err = cmd.Wait()
		_ = g.kill() // whatever it left running
		g.done()
	} else {
		return result{}, notInstalled(c.provider, c.program, c.override)
	}
	switch {
	case out.over:
		return result{}, fail(Garbage, "look at the item with "+c.program+" in a terminal", "%s wrote more than %d MB", c.program, mostOut>>20)
	case ctx.Err() != nil:
		return result{}, ctx.Err()
	case limited.Err() != nil:
		return result{}, fail(TimedOut, "try it in a terminal: it may wait for the network, or for your approval in a window of its own",
			"%s did not answer within %s and was stopped", c.program, c.limit)
	}
	r := result{out.buf.Bytes(), strings.ToLower(said.buf.String()), cmd.ProcessState.ExitCode()}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) && !errors.Is(err, io.ErrClosedPipe) && r.code == 0 && !brokenPipe(err) {
		return result{}, fail(Crashed, "try it in a terminal", "%s could not be run to its end", c.program)
	}
	return r, nil
}

// words finds out why a program failed, from what it said.
type words struct {
	kind       Kind
	any        []string // lower case
	hint, text string
}

// asks are the words of programs that want something typed.
var asks = words{AskedInput, []string{"master password", "enter password", "password:", "enter the password", "passphrase", "enter your", "[y/n", "(y/n", "input is hidden", "not a tty", "no tty", "inappropriate ioctl", "press enter"}, "", ""}

// why makes a Failure of what a program said; signIn is the hint for programs that ask for a password.
func (c cli) why(r result, signIn string, known ...words) *Failure {
	for _, k := range known {
		for _, w := range k.any {
			if strings.Contains(r.said, w) || r.code != 0 && bytes.Contains(bytes.ToLower(r.out), []byte(w)) {
				return fail(k.kind, k.hint, "%s", k.text)
			}
		}
	}
	for _, w := range asks.any {
		if strings.Contains(r.said, w) || bytes.Contains(bytes.ToLower(r.out), []byte(w)) {
			return fail(AskedInput, signIn, "%s asked for something to be typed, which nobody can do here", c.program)
		}
	}
	if r.code < 0 {
		return fail(Crashed, "try it in a terminal", "%s was stopped by a signal", c.program)
	}
	return fail(Crashed, "try it in a terminal; what it said is not shown here, for it may hold a password", "%s ended with code %d", c.program, r.code)
}

func (c cli) garbage() *Failure {
	return fail(Garbage, "try it in a terminal; a newer or older "+c.program+" may write something else", "what %s wrote cannot be understood", c.program)
}

// bounded keeps the first bytes, and calls full once there are more.
type bounded struct {
	// buf is no embedded field: its ReadFrom would read all.
	buf  bytes.Buffer
	most int
	over bool
	full func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if room := b.most - b.buf.Len(); len(p) > room {
		if b.full != nil && !b.over {
			b.over = true
			b.full()
		}
		b.buf.Write(p[:max(0, room)])
		return len(p), nil
	}
	return b.buf.Write(p)
}

// oneCode takes a code out of what a program wrote.
func (c cli) oneCode(out []byte) (Code, error) {
	text := strings.TrimSpace(string(out))
	digits := strings.Trim(text, "0123456789") == "" && len(text) >= 5 && len(text) <= 10
	steam := len(text) == 5 && strings.Trim(text, "23456789BCDFGHJKMNPQRTVWXY") == ""
	if !digits && !steam {
		return Code{}, c.garbage()
	}
	return Code{Text: text}, nil
}
