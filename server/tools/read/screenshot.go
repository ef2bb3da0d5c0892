package read

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"chaperone/assets"
	"chaperone/browser/page"
	"chaperone/internal/settings"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
)

type screenshotArgs struct {
	tool.InSession
	tool.Timed
	tool.Element `bind:"optional"`
	FullPage     bool    `json:"fullPage,omitempty" jsonschema:"the whole page"`
	Format       string  `json:"format,omitempty" jsonschema:"default png" enum:"png,jpeg,webp"`
	Quality      int     `json:"quality,omitempty" jsonschema:"of jpeg and webp" min:"1" max:"100"`
	Scale        float64 `json:"scale,omitempty" jsonschema:"default 1" min:"0.1" max:"4"`
	Describe     bool    `json:"describe,omitempty" jsonschema:"with a short snapshot"`
	Redact       *bool   `json:"redact,omitempty" jsonschema:"false: do not cover secrets; the person is asked"`
	Path         string  `json:"path,omitempty" jsonschema:"write it to this file in the workspace instead"`
}

// Uncovered reports whether secrets are to be shown.
func (a *screenshotArgs) Uncovered() bool { return a.Redact != nil && !*a.Redact }

func screenshot(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "screenshot", Title: "Take a picture",
		Does:  "Takes a picture of the viewport, the whole page or one element, for what text cannot say (canvas, layout). Pixels of the viewport picture are coords." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a screenshotArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		o := page.ScreenshotOptions{FullPage: a.FullPage, Format: a.Format, Quality: a.Quality, Scale: a.Scale}
		if g := a.Target(); !g.Zero() {
			target, err := acted.Target(t, g)
			if err != nil {
				return tool.Result{}, err
			}
			o.Target = &target
		}
		if o.Hide, err = d.hide(a); err != nil {
			return tool.Result{}, err
		}
		var file string
		if a.Path != "" {
			if file, err = d.file(a.Path); err != nil {
				return tool.Result{}, err
			}
		}
		if o.Format == "" {
			// A file holds what its name says.
			switch strings.ToLower(filepath.Ext(file)) {
			case ".jpg", ".jpeg":
				o.Format = "jpeg"
			case ".webp":
				o.Format = "webp"
			}
		}
		p, err := page.Screenshot(ctx, t, o)
		if err != nil {
			return tool.Result{}, err
		}
		said := shot{OK: true, MIME: p.MIME, Width: p.Width, Height: p.Height, Scale: p.Scale, X: p.X, Y: p.Y, Bytes: len(p.Data), Note: p.Note}
		if len(p.Names) > 0 {
			said.Warnings = append(said.Warnings, assets.Say("secret.picture.covered", strings.Join(p.Names, ">, <")))
		}
		if d.Hidden != nil && d.Hidden.Hide() != nil {
			said.Warnings = append(said.Warnings, assets.Say("secret.picture.unseen"))
		}
		if a.Describe {
			tree, err := page.Snapshot(ctx, t, page.SnapshotOptions{Scope: scopeOf(o.Target), MaxNodes: 150})
			if err != nil {
				return tool.Result{}, err
			}
			// The address stays out: inside a text it would pass for the page's own words, and not be shortened.
			_, said.Tree, _ = strings.Cut(tree, "\n")
		}
		if file == "" {
			return tool.Result{Value: said, Images: []tool.Image{{MIME: p.MIME, Data: p.Data}}}, nil
		}
		if err := write(file, p.Data); err != nil {
			return tool.Result{}, err
		}
		if said.Path, err = filepath.Rel(d.Workspace, file); err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Value: said}, nil
	})
}

// shot describes a picture.
type shot struct {
	OK     bool    `json:"ok"`
	MIME   string  `json:"mimeType"`
	Width  int     `json:"width"` // CSS pixels that it shows
	Height int     `json:"height"`
	Scale  float64 `json:"scale"`
	X      float64 `json:"x"` // of its corner in the viewport
	Y      float64 `json:"y"`
	Bytes  int     `json:"bytes"`
	Path   string  `json:"path,omitempty"`
	Note   string  `json:"note,omitempty"`
	Tree   string  `json:"tree,omitempty"`

	Warnings []string `json:"warnings,omitempty"`
}

// hide is what finds the texts to cover.
func (d Deps) hide(a screenshotArgs) (page.Hide, error) {
	switch {
	case d.Hidden == nil:
		return nil, nil
	case d.Hidden.Holds(a.Path):
		return nil, errors.New("the name of the file holds a secret; choose another")
	case a.Uncovered():
		return nil, nil // the person was asked
	}
	return d.Hidden.Hide(), nil
}

func scopeOf(t *page.Target) string {
	if t == nil {
		return ""
	}
	return t.Ref
}

// picturesFolder is where pictures go; agents write nowhere else in the workspace.
const picturesFolder = "screenshots"

// file is the path of a picture that an agent names: below the folder for pictures, with a name of a picture.
func (d Deps) file(name string) (string, error) {
	if d.Workspace == "" {
		return "", fmt.Errorf("there is no workspace to write %q into", name)
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".webp":
	default:
		return "", fmt.Errorf("%q is no name of a picture: end it with .png, .jpg or .webp", name)
	}
	folder := filepath.Join(d.Workspace, picturesFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(d.Workspace, name); err == nil && filepath.IsAbs(name) {
		name = rel
	}
	return settings.Inside(folder, strings.TrimPrefix(filepath.ToSlash(name), picturesFolder+"/"))
}

func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
