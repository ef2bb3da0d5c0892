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

// drawn is a text as it is drawn, with the boxes of its lines in the main frame's viewport, CSS pixels.
type drawn struct {
	text  string
	boxes []box
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
			list, err := textsOf(ctx, frame, d, shot.Strings, v.Ratio)
			if err != nil {
				return nil, err
			}
			all = append(all, list...)
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
			Text string `json:"text"`
			Box  box    `json:"box"`
		} `json:"fields"`
	}
	if err := f.Call(ctx, "fieldTexts", map[string]any{}, &r); err != nil || len(r.Fields) == 0 {
		return nil, err
	}
	origin, err := toMain(ctx, f, Point{}, false)
	if err != nil {
		return nil, err
	}
	list := make([]drawn, len(r.Fields))
	for i, one := range r.Fields {
		one.Box[0], one.Box[1] = one.Box[0]+origin.X, one.Box[1]+origin.Y
		list[i] = drawn{text: one.Text, boxes: []box{one.Box}}
	}
	return list, nil
}

func text(table []string, i domsnapshot.StringIndex) string {
	if i < 0 || int(i) >= len(table) {
		return ""
	}
	return table[i]
}

func textsOf(ctx context.Context, f *browser.Frame, d *domsnapshot.DocumentSnapshot, table []string, ratio float64) ([]drawn, error) {
	var origin Point
	placed := false
	var list []drawn
	at := map[int64]int{}
	for i, s := range d.Layout.Text {
		if words := text(table, s); words != "" {
			at[int64(i)] = len(list)
			list = append(list, drawn{text: words})
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	add := func(i int, r domsnapshot.Rectangle) error {
		if len(r) < 4 || r[2] <= 0 || r[3] <= 0 {
			return nil
		}
		if !placed {
			var err error
			if origin, err = toMain(ctx, f, Point{}, false); err != nil {
				return err
			}
			placed = true
		}
		list[i].boxes = append(list[i].boxes, box{origin.X + (r[0]-d.ScrollOffsetX)/ratio, origin.Y + (r[1]-d.ScrollOffsetY)/ratio, r[2] / ratio, r[3] / ratio})
		return nil
	}
	for n, i := range d.TextBoxes.LayoutIndex {
		if k, ok := at[i]; ok {
			if err := add(k, d.TextBoxes.Bounds[n]); err != nil {
				return nil, err
			}
		}
	}
	for i, k := range at {
		if len(list[k].boxes) == 0 {
			if err := add(k, d.Layout.Bounds[i]); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// hiddenBoxes is where texts stand that hide wants hidden, and the names of what they hold.
func hiddenBoxes(ctx context.Context, t *browser.Tab, hide Hide) (boxes []box, names []string, err error) {
	if hide == nil {
		return nil, nil, nil
	}
	list, err := drawnTexts(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	texts := make([]string, len(list))
	for i, d := range list {
		texts[i] = d.text
	}
	hidden, names := hide(texts)
	slices.Sort(hidden)
	for _, i := range hidden {
		boxes = append(boxes, list[i].boxes...)
	}
	return boxes, names, nil
}
