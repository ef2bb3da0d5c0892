package page

import (
	"context"
	"errors"
	"slices"

	"chaperone/browser"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/domsnapshot"
)

// Hide finds in the texts of a page, in the order in which they stand there, those that must not be shown. A value may be split
// over several of them. It returns their indexes, and the names of what they hold.
type Hide func(texts []string) (hidden []int, names []string)

// drawn is a text as it is drawn, with the boxes of its lines in its frame's viewport, CSS pixels.
type drawn struct {
	text  string
	boxes []box
	frame *browser.Frame
	nodes []cdp.BackendNodeID // its own and those around it, inside out; none: the boxes are where it is drawn, and all that is known
	all   bool                // an effect may draw it anywhere
}

// drawnTexts reads what text is drawn in all frames: that of the page, of shadow roots and of pseudo-elements, by
// DOMSnapshot.captureSnapshot, whose boxes are those of the document in pixels of the device; and that of fields,
// which it leaves out.
func drawnTexts(ctx context.Context, t *browser.Tab) ([]drawn, error) {
	v, err := t.Viewport(ctx)
	if err != nil {
		return nil, err
	}
	frames := t.Frames()
	byID := map[string]*browser.Frame{}
	for _, f := range frames {
		byID[f.ID()] = f
	}
	var all []drawn
	for _, f := range frames {
		if f.Parent() != nil && !f.OutOfProcess() {
			continue
		}
		shot, err := cdp.Call(ctx, f.Session(), domsnapshot.CaptureSnapshot, domsnapshot.CaptureSnapshotParams{ComputedStyles: []string{}})
		if errors.Is(err, browser.ErrTargetGone) && f.Parent() != nil {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, d := range shot.Documents {
			frame := byID[text(shot.Strings, d.FrameID)]
			if frame == nil {
				continue // it has gone meanwhile
			}
			all = append(all, textsOf(frame, d, shot.Strings, v.Ratio)...)
		}
	}
	for _, f := range frames {
		list, err := fieldTexts(ctx, f)
		if errors.Is(err, browser.ErrDocumentGone) && f.Parent() != nil {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

func fieldTexts(ctx context.Context, f *browser.Frame) ([]drawn, error) {
	var r struct {
		Fields []struct {
			Text  string `json:"text"`
			Boxes []box  `json:"boxes"`
			All   bool   `json:"all"`
		} `json:"fields"`
	}
	if err := f.Call(ctx, "fieldTexts", map[string]any{}, &r); err != nil {
		return nil, err
	}
	list := make([]drawn, len(r.Fields))
	for i, one := range r.Fields {
		list[i] = drawn{text: one.Text, boxes: one.Boxes, frame: f, all: one.All}
	}
	return list, nil
}

func text(table []string, i domsnapshot.StringIndex) string {
	if i < 0 || int(i) >= len(table) {
		return ""
	}
	return table[i]
}

func textsOf(f *browser.Frame, d *domsnapshot.DocumentSnapshot, table []string, ratio float64) []drawn {
	var list []drawn
	at := map[int64]int{}
	for i, s := range d.Layout.Text {
		if words := text(table, s); words != "" {
			at[int64(i)] = len(list)
			list = append(list, drawn{text: words, frame: f, nodes: nodesAround(d, i)})
		}
	}
	add := func(i int, r domsnapshot.Rectangle) {
		if len(r) >= 4 && r[2] > 0 && r[3] > 0 {
			list[i].boxes = append(list[i].boxes, box{(r[0] - d.ScrollOffsetX) / ratio, (r[1] - d.ScrollOffsetY) / ratio, r[2] / ratio, r[3] / ratio})
		}
	}
	for n, i := range d.TextBoxes.LayoutIndex {
		if k, ok := at[i]; ok {
			add(k, d.TextBoxes.Bounds[n])
		}
	}
	for i, k := range at {
		if len(list[k].boxes) == 0 {
			add(k, d.Layout.Bounds[i])
		}
	}
	return list
}

// nodesAround is the node of a layout object and those around it, inside out.
func nodesAround(d *domsnapshot.DocumentSnapshot, layout int) (nodes []cdp.BackendNodeID) {
	if layout >= len(d.Layout.NodeIndex) {
		return []cdp.BackendNodeID{0}
	}
	for n := d.Layout.NodeIndex[layout]; n >= 0 && int(n) < len(d.Nodes.BackendNodeID) && len(nodes) < mostAround; n = d.Nodes.ParentIndex[n] {
		nodes = append(nodes, d.Nodes.BackendNodeID[n])
	}
	return append(nodes, 0)
}

// mostAround is how far out from a text a node is looked for that page code can hold; that of a pseudo-element it cannot.
const mostAround = 3

// locate adds where page code sees a text drawn, and grows the boxes by what its effects draw around them.
func (d *drawn) locate(ctx context.Context) error {
	for _, n := range d.nodes {
		if n == 0 {
			d.all = true
			return nil
		}
		object, err := d.frame.Adopt(ctx, n)
		if err == nil {
			var r struct {
				Boxes []box   `json:"boxes"`
				Grow  float64 `json:"grow"`
				All   bool    `json:"all"`
			}
			err = d.frame.CallOn(ctx, object, "drawnAround", map[string]any{"owner": false}, &r)
			if err == nil {
				boxes := slices.Concat(d.boxes, r.Boxes)
				for i, b := range boxes {
					boxes[i] = b.grown(r.Grow)
				}
				d.boxes, d.all = boxes, d.all || r.All
				return nil
			}
		}
		if ctx.Err() != nil || errors.Is(err, browser.ErrDocumentGone) || errors.Is(err, browser.ErrTargetGone) {
			return err
		}
	}
	return nil
}

// hiddenBoxes is where texts stand that hide wants hidden, and the names of what they hold. With all they may be drawn anywhere.
func hiddenBoxes(ctx context.Context, t *browser.Tab, hide Hide, at *places) (boxes []box, all bool, names []string, err error) {
	if hide == nil {
		return nil, false, nil, nil
	}
	list, err := drawnTexts(ctx, t)
	if err != nil {
		return nil, false, nil, err
	}
	texts := make([]string, len(list))
	for i, d := range list {
		texts[i] = d.text
	}
	hidden, names := hide(texts)
	slices.Sort(hidden)
	for _, i := range hidden {
		d := list[i]
		err := d.locate(ctx)
		if err == nil {
			var anywhere bool
			if d.boxes, anywhere, err = at.toMain(ctx, d.frame, d.boxes); err == nil {
				boxes = append(boxes, d.boxes...)
				all = all || anywhere || d.all
			}
		}
		if errors.Is(err, browser.ErrDocumentGone) && d.frame.Parent() != nil {
			continue
		}
		if err != nil {
			return nil, false, nil, err
		}
	}
	return boxes, all, names, nil
}
