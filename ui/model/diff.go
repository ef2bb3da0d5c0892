package model

import "strings"

// Change of one line of a file.
const (
	Same    = ' '
	Added   = '+'
	Removed = '-'
)

// DiffLine is one line of a file that is to be changed.
type DiffLine struct {
	Sign rune // Same, Added or Removed
	Text string
}

// around is how many unchanged lines are shown beside a change.
const around = 3

// Diff compares two texts line by line and keeps what changed with a few lines around it. Left-out lines show as
// one line "…".
func Diff(before, after string) []DiffLine {
	a, b := lines(before), lines(after)
	// The longest common subsequence, after what is the same at both ends.
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var all []DiffLine
	for _, l := range a[:head] {
		all = append(all, DiffLine{Same, l})
	}
	all = append(all, middle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	for _, l := range a[len(a)-tail:] {
		all = append(all, DiffLine{Same, l})
	}
	return near(all)
}

// mostCompared bounds the table of the comparison; beyond it the old part is shown as removed and the new as added.
const mostCompared = 2000

func middle(a, b []string) []DiffLine {
	var out []DiffLine
	if len(a) > mostCompared || len(b) > mostCompared {
		for _, l := range a {
			out = append(out, DiffLine{Removed, l})
		}
		for _, l := range b {
			out = append(out, DiffLine{Added, l})
		}
		return out
	}
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, DiffLine{Same, a[i]})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || length[i+1][j] >= length[i][j+1]):
			out = append(out, DiffLine{Removed, a[i]})
			i++
		default:
			out = append(out, DiffLine{Added, b[j]})
			j++
		}
	}
	return out
}

func near(all []DiffLine) []DiffLine {
	keep := make([]bool, len(all))
	for i, l := range all {
		if l.Sign == Same {
			continue
		}
		for k := max(0, i-around); k <= min(len(all)-1, i+around); k++ {
			keep[k] = true
		}
	}
	var out []DiffLine
	skipped := false
	for i, l := range all {
		if keep[i] {
			if skipped {
				out = append(out, DiffLine{Same, "…"})
			}
			out, skipped = append(out, l), false
			continue
		}
		skipped = true
	}
	if skipped && len(out) > 0 {
		out = append(out, DiffLine{Same, "…"})
	}
	return out
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}
