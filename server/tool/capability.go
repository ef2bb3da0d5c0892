package tool

import (
	"fmt"
	"slices"
	"strings"
)

// Capability is something that agents may be allowed to do. A tool needs one.
type Capability string

// The capabilities. Read, Navigation, Action and Human are on unless they are switched off.
const (
	Read            Capability = "read"
	Navigation      Capability = "navigation"
	Action          Capability = "action"
	Human           Capability = "human"
	Eval            Capability = "eval"
	NetworkBody     Capability = "network-body"
	Clipboard       Capability = "clipboard"
	BYOBAttach      Capability = "byob-attach"
	FileIO          Capability = "file-io"
	Secrets         Capability = "secrets"
	Credentials     Capability = "credentials"
	Extensions      Capability = "extensions"
	Stealth         Capability = "stealth"
	Captcha         Capability = "captcha"
	DeviceEmulation Capability = "device-emulation"
)

// CapabilityInfo is a capability in plain words.
type CapabilityInfo struct {
	Name  Capability
	Title string // for a switch
	Does  string // what it lets agents do
	Risk  string // one sentence; empty for the usual ones
}

// Risky reports whether switching the capability on deserves a warning.
func (c CapabilityInfo) Risky() bool { return c.Risk != "" }

var capabilities = []CapabilityInfo{
	{Read, "Read pages", "See what pages show: text, controls, pictures, console and network lists.", ""},
	{Navigation, "Open pages", "Open addresses, go back and forward, open and close tabs and browsers.", ""},
	{Action, "Use pages", "Click, type, choose and drag, as a person at the mouse would.", ""},
	{Human, "Ask you", "Ask you to confirm, choose, type or point at something.", ""},
	{Eval, "Run scripts", "Run JavaScript of its own in pages.", "A script can do anything the page can, with your sign-ins, and read what masks would hide."},
	{NetworkBody, "Read network bodies", "Read the bodies of answers that pages receive.", "Bodies may hold tokens and personal data that no page shows."},
	{Clipboard, "Use the clipboard", "Read and write the clipboard.", "The clipboard often holds passwords and private text from other programs."},
	{BYOBAttach, "Use your own Chrome", "Drive the Chrome that you use yourself.", "The agent acts with all your sign-ins, in your name."},
	{FileIO, "Use files", "Upload files from the workspace and fetch downloads.", "Files of the workspace can be sent to any site, and downloads may be harmful."},
	{Secrets, "Use secrets", "Type secrets by their names, without seeing them.", "A page in which a secret is typed receives it and may show or send it elsewhere."},
	{Credentials, "Use sign-ins", "Fetch user names, passwords and one-time codes from your vault by name.", "The agent can sign in as you, also where a second factor is asked."},
	{Extensions, "Install extensions", "Load, reload and remove browser extensions.", "An extension can read and change every page of its session."},
	{Stealth, "Hide automation", "Have pages not notice that a program drives the browser.", "Getting around bot detection may break the terms of a site, and the law."},
	{Captcha, "Have captchas solved", "Send captchas to an outside service that solves them.", "The address of the page and the challenge go to another company; solving may break the terms of a site, and the law."},
	{DeviceEmulation, "Simulate devices", "Have pages believe in Bluetooth, USB and HID devices that do not exist.", "Pages act on devices that nobody owns."},
}

// Capabilities lists all capabilities in the order in which a person sees them.
func Capabilities() []CapabilityInfo { return slices.Clone(capabilities) }

// DefaultCapabilities are on where nobody said otherwise.
func DefaultCapabilities() []Capability { return []Capability{Read, Navigation, Action, Human} }

// CapabilityOf describes one capability.
func CapabilityOf(name Capability) (CapabilityInfo, bool) {
	for _, c := range capabilities {
		if c.Name == name {
			return c, true
		}
	}
	return CapabilityInfo{}, false
}

// ParseCapabilities reads names of capabilities. An unknown one is an error that lists the valid ones.
func ParseCapabilities(names []string) ([]Capability, error) {
	var list []Capability
	for _, name := range names {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		c := Capability(name)
		if _, known := CapabilityOf(c); !known {
			return nil, fmt.Errorf("there is no capability %q%s; the valid names are %s", name, DidYouMean(name, capabilityNames()), strings.Join(capabilityNames(), ", "))
		}
		if !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list, nil
}

func capabilityNames() []string {
	names := make([]string, len(capabilities))
	for i, c := range capabilities {
		names[i] = string(c.Name)
	}
	return names
}
