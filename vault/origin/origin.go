// Package origin has the sites that a secret may go to: a scheme, a host and a port, compared exactly. It follows the scope
// forms of register_secret and the origins of the HTML standard.
package origin

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// Origin is one site in its normal form, as https://app.example.com or http://localhost:3000: lower case, the host in ASCII and
// without a dot at its end, the port only where it is not that of the scheme.
type Origin string

// MostBytes bounds what is taken for an origin: a host has at most 253 characters.
const MostBytes = 300

var ports = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}

// Parse reads an origin, or a bare host with or without a port, which means https on it. A path, a query, a fragment, a user
// name, a wildcard and everything else is refused: the error says what is wrong and never repeats a user name or password.
func Parse(s string) (Origin, error) {
	switch {
	case s == "":
		return "", errors.New("it is empty: write an origin such as https://app.example.com")
	case len(s) > MostBytes:
		return "", fmt.Errorf("it is %d characters long: an origin is a scheme, a host and a port only", len(s))
	case strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' || r == 0xfffd }):
		return "", errors.New("it has a blank, a backslash or a control character in it")
	case strings.Contains(s, "*"):
		return "", errors.New("it has a * in it: there are no wildcards, list each origin")
	case strings.Contains(s, "@"):
		return "", errors.New("it has an @ in it: leave out the user name and the password")
	case strings.ContainsAny(s, "?"):
		return "", errors.New("it has a query: leave out all from the ? on")
	case strings.Contains(s, "#"):
		return "", errors.New("it has a fragment: leave out all from the # on")
	case strings.Contains(s, "%"):
		return "", errors.New("it has a % in it: write the host itself")
	}
	scheme, rest, given := strings.Cut(s, "://")
	if !given {
		scheme, rest = "https", s
	}
	scheme = strings.ToLower(scheme)
	if !validScheme(scheme) {
		return "", errors.New("what stands before :// is no scheme such as https")
	}
	if scheme == "file" || scheme == "data" || scheme == "about" || scheme == "blob" || scheme == "javascript" {
		return "", fmt.Errorf("pages of the scheme %s have no origin to name", scheme)
	}
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return "", errors.New("it has a path: leave out all from the / after the host on")
	}
	host, port, err := hostPort(rest)
	if err != nil {
		return "", err
	}
	if _, web := ports[scheme]; web {
		if host, err = webHost(host); err != nil {
			return "", err
		}
	} else {
		host = strings.TrimSuffix(strings.ToLower(host), ".")
	}
	if host == "" {
		return "", errors.New("it has no host")
	}
	if port == ports[scheme] {
		port = ""
	}
	if port != "" {
		port = ":" + port
	}
	return Origin(scheme + "://" + host + port), nil
}

func validScheme(s string) bool {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789+-.") == ""
}

func hostPort(s string) (host, port string, err error) {
	host = s
	end := strings.LastIndexByte(s, ']')
	if colon := strings.LastIndexByte(s, ':'); colon > end {
		host, port = s[:colon], s[colon+1:]
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 || strings.Trim(port, "0123456789") != "" {
			return "", "", errors.New("what stands after the : is no port")
		}
		port = strconv.FormatUint(n, 10)
	}
	if end < 0 && strings.Contains(host, ":") {
		return "", "", errors.New("an IPv6 address stands in brackets, as in http://[::1]:3000")
	}
	return host, port, nil
}

// webHost is a host as browsers write it, https://url.spec.whatwg.org/#concept-host-parser; forms that they would read as
// something else are refused.
func webHost(host string) (string, error) {
	if strings.HasPrefix(host, "[") {
		ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
		if err != nil || !ip.Is6() || ip.Zone() != "" || !strings.HasSuffix(host, "]") {
			return "", errors.New("what stands in brackets is no IPv6 address")
		}
		if ip.Is4In6() {
			b := ip.As16()
			return fmt.Sprintf("[::ffff:%x:%x]", uint16(b[12])<<8|uint16(b[13]), uint16(b[14])<<8|uint16(b[15])), nil
		}
		return "[" + ip.String() + "]", nil
	}
	host = strings.TrimSuffix(host, ".")
	ascii, err := idna.Lookup.ToASCII(host)
	if err != nil {
		// Names with an underscore break a rule for registered names and are in use all the same.
		ascii = strings.ToLower(host)
		if strings.Trim(ascii, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" {
			return "", errors.New("its host is no valid name")
		}
	}
	ascii = strings.TrimSuffix(ascii, ".")
	if ascii == "" || strings.Contains(ascii, "..") || strings.HasPrefix(ascii, ".") || len(ascii) > 253 {
		return "", errors.New("its host is no valid name")
	}
	last := ascii[strings.LastIndexByte(ascii, '.')+1:]
	if numeric(last) {
		ip, err := netip.ParseAddr(ascii)
		if err != nil || !ip.Is4() {
			return "", errors.New("its host is a number that browsers would read as an address: write the address in the form 127.0.0.1")
		}
		return ip.String(), nil
	}
	return ascii, nil
}

func numeric(label string) bool {
	if rest, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(rest, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

// ParseAll reads a list. The error names the entry by its place, and says it where it can hold no password.
func ParseAll(entries []string) ([]Origin, error) {
	var list []Origin
	for i, e := range entries {
		o, err := Parse(e)
		if err != nil {
			shown := ""
			if len(e) <= 80 && !strings.ContainsAny(e, "@?#") {
				shown = fmt.Sprintf(" (%q)", e)
			}
			return nil, fmt.Errorf("entry %d%s of the origins cannot be taken: %w", i+1, shown, err)
		}
		if !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	return list, nil
}

// OfURL is the origin of a page's address; ok is false for addresses without one (about:blank, data:, file:).
func OfURL(address string) (o Origin, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "", false
	}
	o, err = Parse(u.Scheme + "://" + u.Host)
	return o, err == nil
}

// Strings are the origins as texts.
func Strings(list []Origin) []string {
	out := make([]string, len(list))
	for i, o := range list {
		out[i] = string(o)
	}
	return out
}
