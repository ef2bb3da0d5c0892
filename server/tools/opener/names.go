package opener

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"chaperone/browser"
)

// names are those that name_ref gave to elements of a tab.
type names struct {
	mu sync.Mutex
	of map[string]string
}

type namesKey struct{}

func namesOf(t *browser.Tab) *names {
	return t.Value(namesKey{}, func() any { return &names{of: map[string]string{}} }).(*names)
}

// mostNames bounds what a tab remembers.
const mostNames = 200

// NameRef gives a ref of the tab a name.
func NameRef(t *browser.Tab, name, ref string) error {
	n := namesOf(t)
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, there := n.of[name]; !there && len(n.of) >= mostNames {
		return fmt.Errorf("there are %d names already in this tab; give an old one to the new element", mostNames)
	}
	n.of[name] = ref
	return nil
}

// RefNamed returns the ref that a name stands for.
func RefNamed(t *browser.Tab, name string) (string, error) {
	n := namesOf(t)
	n.mu.Lock()
	defer n.mu.Unlock()
	if ref, ok := n.of[name]; ok {
		return ref, nil
	}
	known := "there are none: give one with name_ref"
	if len(n.of) > 0 {
		known = "the names are " + strings.Join(sorted(n.of), ", ")
	}
	return "", fmt.Errorf("nothing in this tab is named %q; %s", name, known)
}

// Named lists the names of a tab with their refs.
func Named(t *browser.Tab) (list []NamedRef) {
	n := namesOf(t)
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, name := range sorted(n.of) {
		list = append(list, NamedRef{name, n.of[name]})
	}
	return list
}

// NamedRef is a name and what it stands for.
type NamedRef struct {
	Name string `json:"name"`
	Ref  string `json:"ref"`
}

func sorted(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
