package tool

import "strings"

// DidYouMean is " (did you mean …?)" with the name nearest to a mistyped one, or empty when none is near.
func DidYouMean(name string, valid []string) string {
	if near := nearest(name, valid); near != "" {
		return " (did you mean " + near + "?)"
	}
	return ""
}

// longestName bounds the work on a name that is nonsense.
const longestName = 64

func nearest(name string, valid []string) string {
	if len(name) > longestName {
		return ""
	}
	plain := fold(name)
	best, bestAt := "", 3
	for _, v := range valid {
		if d := distance(plain, fold(v)); d < bestAt && d < max(len(plain), len(fold(v)))*2/3 {
			best, bestAt = v, d
		}
	}
	return best
}

func fold(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(s))
}

// distance is the number of single-letter changes and swaps of neighbours from a to b.
func distance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			d[i][j] = min(change, d[i-1][j]+1, d[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
