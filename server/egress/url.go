package egress

import "strings"

// URLs removes from every URL in s what may be private: user name and password, query, fragment, and path segments that look
// like tokens. Scheme, host and path stay. Doing it again changes nothing.
func URLs(s string) string { return inParts(s, stripURL) }

// userinfo removes only user names and passwords from the URLs in s.
func userinfo(s string) string { return inParts(s, stripUser) }

func inParts(s string, change func(string) string) string {
	if !strings.Contains(s, "://") {
		return s
	}
	return parts(s, func(s string) string { return eachURL(s, change) })
}

func eachURL(s string, change func(string) string) string {
	at := strings.Index(s, "://")
	if at < 0 {
		return s
	}
	var b strings.Builder
	done := 0
	for at >= 0 {
		start := at
		for start > done && schemeByte(s[start-1]) {
			start--
		}
		end := at + 3
		for end < len(s) && !urlEnd(s[end]) {
			end++
		}
		end = start + len(trimURL(s[start:end]))
		if start < at && end > at+3 {
			b.WriteString(s[done:start])
			b.WriteString(change(s[start:end]))
			done = end
		}
		next := strings.Index(s[max(end, at+3):], "://")
		if next < 0 {
			break
		}
		at = max(end, at+3) + next
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

func schemeByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'
}

func urlEnd(c byte) bool { return c <= ' ' || strings.IndexByte("\"'<>`\\|^", c) >= 0 }

// trimURL takes off what belongs to the sentence around a URL.
func trimURL(s string) string {
	for len(s) > 0 {
		switch c := s[len(s)-1]; c {
		case '.', ',', ';', ':', '!':
		case ')', ']', '}':
			opening := map[byte]string{')': "(", ']': "[", '}': "{"}[c]
			if strings.Count(s, opening) >= strings.Count(s, string(c)) {
				return s
			}
		default:
			return s
		}
		s = s[:len(s)-1]
	}
	return s
}

// split takes a URL apart: "https://", "user:pw@", "host:1", "/path", "?query#fragment".
func split(u string) (scheme, user, host, path, rest string) {
	i := strings.Index(u, "://") + 3
	scheme, u = u[:i], u[i:]
	end := strings.IndexAny(u, "/?#")
	if end < 0 {
		end = len(u)
	}
	host, u = u[:end], u[end:]
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		user, host = host[:at+1], host[at+1:]
	}
	end = strings.IndexAny(u, "?#")
	if end < 0 {
		end = len(u)
	}
	return scheme, user, host, u[:end], u[end:]
}

func stripUser(u string) string {
	scheme, _, host, path, rest := split(u)
	return scheme + host + path + rest
}

func stripURL(u string) string {
	scheme, _, host, path, rest := split(u)
	if strings.HasPrefix(rest, "?") {
		hash := strings.Contains(rest, "#")
		rest = "?…"
		if hash {
			rest += "#…"
		}
	} else if rest != "" {
		rest = "#…"
	}
	if len(path) > shortestToken {
		segments := strings.Split(path, "/")
		for i, s := range segments {
			if tokenShaped(s) {
				segments[i] = "…"
			}
		}
		path = strings.Join(segments, "/")
	}
	return scheme + host + path + rest
}

// shortestToken is the length from which a random-looking path segment counts as a token.
const shortestToken = 20

// tokenShaped tells a token from a word, a number, a file name and the usual form of an id.
func tokenShaped(s string) bool {
	if len(s) < shortestToken || fileName(s) || uuidForm(s) {
		return false
	}
	if strings.HasPrefix(s, "eyJ") {
		return true
	}
	// Letters of one case, of the other, and digits follow each other without order in what a machine has made up.
	var letters, digits, changes int
	last := byte(0)
	for i := range len(s) {
		class := byte(0)
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			class, letters = 'a', letters+1
		case c >= 'A' && c <= 'Z':
			class, letters = 'A', letters+1
		case c >= '0' && c <= '9':
			class, digits = '0', digits+1
		default:
			continue
		}
		if last != 0 && class != last {
			changes++
		}
		last = class
	}
	n := letters + digits
	return n >= shortestToken && letters > 0 && digits > 1 && changes*100 >= n*28
}

func fileName(s string) bool {
	dot := strings.LastIndexByte(s, '.')
	if dot < 1 || len(s)-dot < 2 || len(s)-dot > 6 || strings.Count(s, ".") > 3 || strings.HasPrefix(s, "eyJ") {
		return false
	}
	for _, c := range s[dot+1:] {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

func uuidForm(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f') {
				return false
			}
		}
	}
	return true
}
