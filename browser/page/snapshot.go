package page

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"chaperone/browser"
	"chaperone/browser/pagejs"

	"github.com/chromedp/cdproto/cdp"
)

// SnapshotOptions narrow a snapshot.
type SnapshotOptions struct {
	Scope         string // ref of the part to show
	After         string // ref behind which a cut snapshot goes on
	MaxNodes      int    // 0: as many as fit
	Omit          []string
	Frame         string // id of the frame to show, from FramesList
	IncludeShadow *bool
}

// The usual limits of one snapshot. A table of 2,000 rows with a link in each passes; one of 20,000 is cut.
const (
	defaultMaxNodes = 9000
	defaultMaxBytes = 200_000
)

// picture is what the page code gives for one frame.
type picture struct {
	given
	Text   string `json:"text"`
	Frames []struct {
		Ref   int `json:"ref"`
		Line  int `json:"line"`
		Depth int `json:"depth"`
	} `json:"frames"`
	Stats struct {
		Nodes    int `json:"nodes"`
		Controls int `json:"controls"`
	} `json:"stats"`
	Cut      int      `json:"cut"`
	Stopped  bool     `json:"stopped"`
	Hosts    int      `json:"hosts"`
	URL      string   `json:"url"`
	Title    string   `json:"title"`
	Warnings []string `json:"warnings"`
	Size     [2]int   `json:"size"`
	Viewport [2]int   `json:"viewport"`
	Scroll   [2]int   `json:"scroll"`
}

// Snapshot writes the page as an indented text. Frames stand under their iframe.
func Snapshot(ctx context.Context, t *browser.Tab, o SnapshotOptions) (string, error) {
	frame := t.MainFrame()
	args := map[string]any{"maxNodes": defaultMaxNodes, "maxBytes": defaultMaxBytes, "testAttributes": t.Session().TestAttrs()}
	if o.MaxNodes > 0 {
		args["maxNodes"], args["maxBytes"] = o.MaxNodes, max(defaultMaxBytes, o.MaxNodes*100)
	}
	if len(o.Omit) > 0 {
		args["omit"] = o.Omit
	}
	if o.IncludeShadow != nil {
		args["includeShadow"] = *o.IncludeShadow
	}
	if o.Frame != "" {
		f, err := frameByID(t, o.Frame)
		if err != nil {
			return "", err
		}
		frame = f
	}
	for key, ref := range map[string]string{"scope": o.Scope, "after": o.After} {
		if ref == "" {
			continue
		}
		f, n, err := frameOf(t, ref)
		if err != nil {
			return "", err
		}
		frame, args[key] = f, n
	}
	p, err := capture(ctx, frame, args)
	if err != nil {
		return "", named(Target{Ref: o.Scope}, err)
	}
	return write(ctx, frame, p, args, o), nil
}

// capture takes the picture of one frame, and takes it again when closed shadow roots were found meanwhile.
func capture(ctx context.Context, f *browser.Frame, args map[string]any) (*picture, error) {
	for round := 0; ; round++ {
		p := &picture{}
		a := map[string]any{}
		for k, v := range args {
			a[k] = v
		}
		err := call(ctx, f, "snapshot", a, p)
		if errors.Is(err, browser.ErrDocumentGone) && round < 3 && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return nil, err
		}
		if p.Hosts == 0 || round >= 3 || !adoptClosedRoots(ctx, f) {
			return p, nil
		}
	}
}

// adoptClosedRoots looks into the hosts that the page code could not, and hands it the closed shadow roots that are there.
func adoptClosedRoots(ctx context.Context, f *browser.Frame) (found bool) {
	list, err := f.Handle(ctx, "hostsToCheck", map[string]any{})
	if err != nil {
		return false
	}
	s := f.Session()
	defer func() {
		_ = s.Call(ctx, "Runtime.releaseObjectGroup", map[string]any{"objectGroup": "chaperone"}, nil)
	}()
	var members struct {
		Result []struct {
			Name  string `json:"name"`
			Value struct {
				ObjectID string `json:"objectId"`
			} `json:"value"`
		} `json:"result"`
	}
	if s.Call(ctx, "Runtime.getProperties", map[string]any{"objectId": list, "ownProperties": true}, &members) != nil {
		return false
	}
	for _, m := range members.Result {
		if _, err := strconv.Atoi(m.Name); err != nil || m.Value.ObjectID == "" {
			continue
		}
		var host struct {
			Node struct {
				ShadowRoots []struct {
					BackendNodeID  cdp.BackendNodeID `json:"backendNodeId"`
					ShadowRootType string            `json:"shadowRootType"`
				} `json:"shadowRoots"`
			} `json:"node"`
		}
		if s.Call(ctx, "DOM.describeNode", map[string]any{"objectId": m.Value.ObjectID}, &host) != nil {
			continue
		}
		for _, root := range host.Node.ShadowRoots {
			if root.ShadowRootType != "closed" {
				continue
			}
			object, err := f.Adopt(ctx, root.BackendNodeID)
			if err == nil && f.CallOn(ctx, object, "adoptRoot", map[string]any{}, nil) == nil {
				found = true
			}
		}
	}
	return found
}

// write puts the frames together. A frame that cannot be read is said to be so in its place.
func write(ctx context.Context, f *browser.Frame, p *picture, args map[string]any, o SnapshotOptions) string {
	var b strings.Builder
	fmt.Fprintf(&b, "url: %s\ntitle: %s\nstats: %d nodes, %d controls", p.URL, strings.ReplaceAll(p.Title, "\n", " "), p.Stats.Nodes, p.Stats.Controls)
	if p.Size[1] > p.Viewport[1]+1 {
		fmt.Fprintf(&b, ", %d of %d px scrolled", p.Scroll[1], p.Size[1]-p.Viewport[1])
	}
	b.WriteByte('\n')
	warnings := p.Warnings
	if p.Stopped {
		rest := "scope shows a part, maxNodes more"
		if p.Cut > 0 {
			rest = fmt.Sprintf(`after:"e%d" shows what follows, scope a part, maxNodes more`, p.Cut)
		}
		warnings = append(warnings, "the page is longer than this: "+rest)
	}
	for _, w := range warnings {
		b.WriteString("warnings: " + w + "\n")
	}
	left := newBudget(ctx, defaultMaxBytes)
	b.WriteString(graft(ctx, f, p, args, 0, left))
	return b.String()
}

// budget is what a snapshot may still take: a page may have thousands of frames, each of which has to be asked.
type budget struct {
	bytes, frames int
	until         time.Time
}

// mostFrames is how many frames a snapshot shows; each takes some milliseconds.
const mostFrames = 200

func newBudget(ctx context.Context, bytes int) *budget {
	return &budget{bytes: bytes, frames: mostFrames, until: limitOf(ctx)}
}

// spent says why a frame is left out.
func (b *budget) spent() string {
	switch {
	case b.bytes <= 0:
		return "the page is long"
	case b.frames <= 0:
		return "the page has too many frames"
	case time.Now().After(b.until):
		return "there was no time left"
	}
	return ""
}

// graft puts the pictures of child frames below the lines of their elements.
func graft(ctx context.Context, f *browser.Frame, p *picture, args map[string]any, depth int, left *budget) string {
	left.bytes -= len(p.Text)
	if len(p.Frames) == 0 || depth > 8 {
		return p.Text
	}
	children := map[int]*browser.Frame{}
	asked := 0
	for _, c := range f.Tab().Frames() {
		if c.Parent() != f {
			continue
		}
		if asked++; asked > left.frames || left.spent() != "" {
			break
		}
		if n, err := ownerRef(ctx, c); err == nil {
			children[n] = c
		}
	}
	// One after the other, so that refs stay small numbers.
	pictures := make([]*picture, len(p.Frames))
	for i, spot := range p.Frames {
		c := children[spot.Ref]
		if c == nil || left.spent() != "" {
			continue
		}
		left.frames--
		inner := map[string]any{}
		for k, v := range args {
			if k != "scope" && k != "after" {
				inner[k] = v
			}
		}
		pictures[i], _ = capture(ctx, c, inner)
	}
	lines := strings.Split(p.Text, "\n")
	var b strings.Builder
	at, omitted := 0, false
	for i, spot := range p.Frames {
		for ; at <= spot.Line && at < len(lines); at++ {
			b.WriteString(lines[at])
			b.WriteByte('\n')
		}
		pad := strings.Repeat(" ", spot.Depth+1)
		switch c := children[spot.Ref]; {
		case pictures[i] == nil && left.spent() != "" || c != nil && left.bytes <= 0:
			if !omitted {
				b.WriteString(pad + "text: (left out from here on: " + left.spent() + "; frames_list names the frames, and snapshot with frame shows one)\n")
			}
			omitted = true
		case c == nil:
		case pictures[i] == nil:
			b.WriteString(pad + "text: (this frame cannot be read now)\n")
		default:
			text := graft(ctx, c, pictures[i], args, depth+1, left)
			for line := range strings.SplitSeq(text, "\n") {
				if line != "" {
					b.WriteString(pad + line + "\n")
				}
			}
		}
	}
	for ; at < len(lines); at++ {
		b.WriteString(lines[at])
		if at < len(lines)-1 {
			b.WriteByte('\n')
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// FrameInfo is one frame of a page.
type FrameInfo struct {
	ID           string `json:"id"`
	Parent       string `json:"parent,omitempty"`
	URL          string `json:"url"`
	Origin       string `json:"origin,omitempty"`
	Name         string `json:"name,omitempty"`
	Ref          string `json:"ref,omitempty"` // of its iframe element
	OutOfProcess bool   `json:"outOfProcess"`
}

// FramesList lists the frames of the page, the main one first.
func FramesList(ctx context.Context, t *browser.Tab) ([]FrameInfo, error) {
	if err := t.Err(); err != nil {
		return nil, err
	}
	var list []FrameInfo
	for _, f := range t.Frames() {
		info := FrameInfo{ID: f.ID(), URL: f.URL(), Origin: origin(f), Name: f.Name(), OutOfProcess: f.OutOfProcess()}
		if p := f.Parent(); p != nil {
			info.Parent = p.ID()
			if n, err := ownerRef(ctx, f); err == nil {
				info.Ref = fmt.Sprintf("e%d", n)
			}
		}
		list = append(list, info)
	}
	return list, nil
}

func frameByID(t *browser.Tab, id string) (*browser.Frame, error) {
	for _, f := range t.Frames() {
		if f.ID() == id || f.Name() != "" && f.Name() == id {
			return f, nil
		}
	}
	if strings.HasPrefix(id, "e") {
		if _, err := Number(id); err == nil {
			for _, f := range t.Frames() {
				if f.Parent() == nil {
					continue
				}
				if n, err := f.OwnerRef(context.Background()); err == nil && fmt.Sprintf("e%d", n) == id {
					return f, nil
				}
			}
		}
	}
	return nil, &ElementError{Code: pagejs.NotFound, Words: fmt.Sprintf("there is no frame %q in this page; frames_list lists them", clip(id))}
}

// origin is a frame's origin as pages say it: Chromium writes "://" for one that has none.
func origin(f *browser.Frame) string {
	if o := f.Origin(); o != "://" && o != "" {
		return o
	}
	return "null"
}
