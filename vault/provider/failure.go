package provider

import (
	"fmt"
	"runtime"
	"strings"
)

// Kind says what went wrong, for code; Failure has it in words.
type Kind string

const (
	BadAccount   Kind = "bad-account"   // the name is none that is looked up
	NoOrigins    Kind = "no-origins"    // no list of sites for the account
	AliasTaken   Kind = "alias-taken"   // two accounts would get one alias
	Unsupported  Kind = "unsupported"   // the provider has no such thing
	NoSeed       Kind = "no-seed"       // no seed for one-time codes
	NotInstalled Kind = "not-installed" // the program is not here
	NotSignedIn  Kind = "not-signed-in" // nobody is signed in, or the vault is locked
	NotFound     Kind = "not-found"     // no such item
	Ambiguous    Kind = "ambiguous"     // several items have the name
	TimedOut     Kind = "timed-out"     // the program did not end in time
	AskedInput   Kind = "asked-input"   // the program wanted something typed
	Garbage      Kind = "garbage"       // what it wrote cannot be understood
	Crashed      Kind = "crashed"       // it failed for a reason that is not known here
	Refused      Kind = "refused"       // the item may not be handed out
	Backend      Kind = "backend"       // Chaperone's own vault could not be read
)

// Failure is a lookup that gave nothing: {ok:false, error, hint, provider}. It holds nothing that a program wrote.
type Failure struct {
	Kind     Kind
	Provider string
	// Text says what is wrong, Hint what to do about it.
	Text, Hint string
	// Why is what Chaperone's own vault said, for errors.Is.
	Why error
}

func (f *Failure) Error() string {
	if f.Hint == "" {
		return f.Text
	}
	return f.Text + ": " + f.Hint
}

func (f *Failure) Unwrap() error { return f.Why }

func fail(kind Kind, hint, text string, args ...any) *Failure {
	return &Failure{Kind: kind, Text: fmt.Sprintf(text, args...), Hint: hint}
}

// installHints say how each program is installed, by operating system; "" is for the others.
var installHints = map[string]map[string]string{
	OATHTool: {
		"darwin": "brew install oath-toolkit", "linux": "sudo apt install oathtool (Debian, Ubuntu), sudo dnf install oathtool (Fedora)",
		"": "it is part of the OATH Toolkit; where there is none, keep the seeds in Chaperone's own vault (BROWX_CREDENTIALS_PROVIDER=keyring)",
	},
	OnePassword: {
		"darwin": "brew install 1password-cli", "windows": "winget install AgileBits.1Password.CLI", "": "see https://developer.1password.com/docs/cli/get-started",
	},
	Bitwarden: {
		"darwin": "brew install bitwarden-cli", "windows": "winget install Bitwarden.CLI", "": "npm install -g @bitwarden/cli, or see https://bitwarden.com/help/cli",
	},
	LastPass: {
		"darwin": "brew install lastpass-cli", "linux": "sudo apt install lastpass-cli (Debian, Ubuntu), sudo dnf install lastpass-cli (Fedora)",
		"": "see https://github.com/lastpass/lastpass-cli",
	},
}

func installHint(provider, goos string) string {
	how, there := installHints[provider][goos]
	if !there {
		how = installHints[provider][""]
	}
	return "install it (" + how + "), or name its path in " + binVariable(provider) + ", and start Chaperone anew"
}

func notInstalled(provider, program, override string) *Failure {
	if override != "" {
		return fail(NotInstalled, "correct "+binVariable(provider)+" and start Chaperone anew; otherwise "+installHint(provider, runtime.GOOS),
			"%s names no program that can be run", binVariable(provider))
	}
	return fail(NotInstalled, installHint(provider, runtime.GOOS), "the program %s is not on the PATH", program)
}

func binVariable(provider string) string {
	return "BROWX_" + strings.ToUpper(provider) + "_BIN"
}
