//go:build ignore

// Draw makes the icons beside it: the app's own, and one for each state of the tray, for screens of normal and of
// double density. Run it with go generate in the folder above.
package main

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log"
	"math"
	"os"
)

// fine is how many samples along each side are taken for one pixel.
const fine = 8

// shape tells whether a point of the unit square belongs to it.
type shape func(x, y float64) bool

func box(inset, radius float64) shape {
	return func(x, y float64) bool {
		dx := math.Max(math.Abs(x-0.5)-(0.5-inset-radius), 0)
		dy := math.Max(math.Abs(y-0.5)-(0.5-inset-radius), 0)
		return math.Hypot(dx, dy) <= radius
	}
}

func bar(x0, y0, x1, y1, radius float64) shape {
	return func(x, y float64) bool {
		dx := math.Max(math.Max(x0+radius-x, x-(x1-radius)), 0)
		dy := math.Max(math.Max(y0+radius-y, y-(y1-radius)), 0)
		return math.Hypot(dx, dy) <= radius
	}
}

func dot(cx, cy, r float64) shape {
	return func(x, y float64) bool { return math.Hypot(x-cx, y-cy) <= r }
}

// arm is an arc with round ends that is open to the right, like an arm around somebody.
func arm(cx, cy, r, width, open float64) shape {
	ends := []shape{
		dot(cx+r*math.Cos(open), cy+r*math.Sin(open), width/2),
		dot(cx+r*math.Cos(open), cy-r*math.Sin(open), width/2),
	}
	return func(x, y float64) bool {
		for _, end := range ends {
			if end(x, y) {
				return true
			}
		}
		return math.Abs(math.Atan2(y-cy, x-cx)) >= open && math.Abs(math.Hypot(x-cx, y-cy)-r) <= width/2
	}
}

type layer struct {
	shape       shape
	top, bottom color.NRGBA
}

func flat(s shape, c color.NRGBA) layer { return layer{s, c, c} }

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
}

func draw(size int, layers []layer) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for py := range size {
		for px := range size {
			var r, g, b, a float64
			for sy := range fine {
				for sx := range fine {
					x := (float64(px) + (float64(sx)+0.5)/fine) / float64(size)
					y := (float64(py) + (float64(sy)+0.5)/fine) / float64(size)
					for i := len(layers) - 1; i >= 0; i-- {
						l := layers[i]
						if !l.shape(x, y) {
							continue
						}
						mix := func(from, to uint8) float64 { return float64(from)*(1-y) + float64(to)*y }
						r, g, b, a = r+mix(l.top.R, l.bottom.R), g+mix(l.top.G, l.bottom.G), b+mix(l.top.B, l.bottom.B), a+1
						break
					}
				}
			}
			if a > 0 {
				img.SetNRGBA(px, py, color.NRGBA{uint8(r/a + 0.5), uint8(g/a + 0.5), uint8(b/a + 0.5), uint8(a*255/(fine*fine) + 0.5)})
			}
		}
	}
	return img
}

func write(name string, img image.Image) {
	f, err := os.Create("icons/" + name)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		log.Fatal(err)
	}
}

func main() {
	white := rgb(0xffffff)
	write("app.png", draw(512, []layer{
		{box(0.03, 0.22), rgb(0x16948a), rgb(0x0b5f58)},
		flat(arm(0.5, 0.5, 0.25, 0.105, 0.80), white),
		flat(dot(0.53, 0.5, 0.088), rgb(0xffd27a)),
	}))
	for name, layers := range map[string][]layer{
		"idle": {
			flat(box(0.02, 0.24), rgb(0x5a6a73)),
			flat(arm(0.5, 0.5, 0.27, 0.14, 0.80), white), flat(dot(0.55, 0.5, 0.095), white),
		},
		"working": {
			flat(box(0.02, 0.24), rgb(0x0f8a80)),
			flat(arm(0.5, 0.5, 0.27, 0.14, 0.80), white), flat(dot(0.55, 0.5, 0.11), rgb(0xffd27a)),
		},
		"paused": {
			flat(box(0.02, 0.24), rgb(0x5a6a73)),
			flat(bar(0.28, 0.24, 0.43, 0.76, 0.05), white), flat(bar(0.57, 0.24, 0.72, 0.76, 0.05), white),
		},
		"needed": {
			flat(box(0.02, 0.24), rgb(0xd97706)),
			flat(bar(0.42, 0.18, 0.58, 0.60, 0.08), white), flat(dot(0.5, 0.75, 0.09), white),
		},
	} {
		for _, scale := range []int{1, 2} {
			suffix := ""
			if scale > 1 {
				suffix = fmt.Sprintf("@%dx", scale)
			}
			write("tray-"+name+suffix+".png", draw(22*scale, layers))
		}
	}
}
