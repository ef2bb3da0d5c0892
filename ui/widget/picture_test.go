package widget

import (
	"image"
	"testing"

	"fyne.io/fyne/v2"
)

func TestACroppedPictureKeepsTheUpperLeft(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 1000, 640))
	for _, c := range []struct {
		size fyne.Size
		want image.Rectangle
	}{
		{fyne.NewSize(100, 64), image.Rect(0, 0, 1000, 640)},
		{fyne.NewSize(100, 50), image.Rect(0, 0, 1000, 500)},
		{fyne.NewSize(64, 64), image.Rect(0, 0, 640, 640)},
		{fyne.NewSize(0, 0), image.Rect(0, 0, 1000, 640)},
		{fyne.NewSize(10000, 1), image.Rect(0, 0, 1000, 1)},
	} {
		if got := cropped(img, c.size).Bounds(); got != c.want {
			t.Errorf("%v: %v, want %v", c.size, got, c.want)
		}
	}
}
