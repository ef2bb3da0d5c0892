package page

import "chaperone/browser"

// Frame returns the frame that an agent names by its id, its name or the ref of its iframe: one as snapshot and frames_list say
// it. Without a name it is the page itself.
func Frame(t *browser.Tab, name string) (*browser.Frame, error) {
	if err := t.Err(); err != nil {
		return nil, err
	}
	if name == "" {
		return t.MainFrame(), nil
	}
	return frameByID(t, name)
}

// Origin is the origin of a frame as pages say it, "null" where it has none.
func Origin(f *browser.Frame) string { return origin(f) }
