package page_test

import (
	"testing"
	"time"

	"chaperone/browser/page"
)

// CSS reaches into open shadow roots also where what is left of a combinator stands outside of them.
func TestCSSCrossesShadowRoots(t *testing.T) {
	tab := on(t, `<my-el class="host [x]"></my-el><div id=plain><p>one</p><p>two</p></div><script>
	const r = document.querySelector('my-el').attachShadow({mode: 'open'})
	r.innerHTML = '<section><button class=deep title="a > b">In</button><b>next</b><x-in></x-in></section>'
	r.querySelector('x-in').attachShadow({mode: 'open'}).innerHTML = '<i class=deeper>deeper</i>'
	addEventListener('click', e => { document.title = e.composedPath()[0].textContent }, true)</script>`)
	for selector, want := range map[string]string{
		"my-el .deep": "In", "my-el button": "In", "body .deep": "In", "my-el > section > .deep": "In", ".deep + b": "next", "my-el .deep ~ b": "next", "my-el .deeper": "deeper", "section x-in > i": "deeper",
		`my-el [title="a > b"]`: "In", `.host .deep:not(.x, .y z)`: "In", "#plain > p:nth-child(2)": "two", "#plain p + p": "two", "my-el >> .deep": "In",
	} {
		if _, err := page.Click(limit(t), tab, page.Target{Selector: selector}, page.ClickOptions{}); err != nil {
			t.Errorf("%s: %v", selector, err)
			continue
		}
		if got := eval[string](t, tab, "document.title"); got != want {
			t.Errorf("%s is %q", selector, got)
		}
	}
	for _, selector := range []string{"#plain .deep", "my-el > .deep", ".deep my-el", "b + .deep"} {
		if _, err := page.Hover(within(t, 300*time.Millisecond), tab, page.Target{Selector: selector}); err == nil {
			t.Errorf("%s was found", selector)
		}
	}
}
