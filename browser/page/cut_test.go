package page_test

import (
	"os"
	"testing"

	"chaperone/browser/pagejs"
)

// What was cut is cut again in the same way, never within a mark.
func TestCutInPages(t *testing.T) {
	tab := on(t, "")
	state, err := os.ReadFile("../pagejs/lib/state.js")
	if err != nil {
		t.Fatal(err)
	}
	open, shut := pagejs.CutMarks()
	script := "(() => {\nconst cutOpen = '" + open + "', cutShut = '" + shut + "', cutKept = 256;\n" + string(state) + `
const shown = (s) => s.replaceAll(new RegExp(cutOpen + '[^]*?' + cutShut, 'g'), '…');
const long = 'abcdefghij'.repeat(100);
for (let n = 1; n < 400; n++) {
  const a = cut(long, n);
  if (shown(a) !== long.slice(0, n - 1) + '…') throw new Error(n + ': ' + a);
  if (cut(a, n) !== a || cut(a, n + 1) !== a) throw new Error('again ' + n);
  for (let k = 1; k < n + 20; k++) {
    const whole = shown('x' + a + 'y'.repeat(10)), want = whole.length <= k ? whole : whole.slice(0, k - 1) + '…';
    if (shown(cut('x' + a + 'y'.repeat(10), k)) !== want) throw new Error(n + ' ' + k + ': ' + shown(cut('x' + a + 'y'.repeat(10), k)));
  }
}
if (shown(cut('ab\u{1f600}cd', 4)) !== 'ab…') throw new Error(cut('ab\u{1f600}cd', 4));
if (shown(cutAround(long, 10, 20)) !== '…' + long.slice(10, 20) + '…' || cutAround(long, 0, 1000) !== long) throw new Error('around');
return 'fine';
})()`
	if got := eval[string](t, tab, script); got != "fine" {
		t.Error(got)
	}
}
