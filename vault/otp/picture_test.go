package otp

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"

	"chaperone/vault"
)

func qr(t *testing.T, text string, size int) image.Image {
	t.Helper()
	m, err := qrcode.NewQRCodeWriter().Encode(text, gozxing.BarcodeFormat_QR_CODE, size, size, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func asPNG(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const link = "otpauth://totp/Acme:alice@acme.test?secret=" + plainSeed + "&issuer=Acme"

func TestPicture(t *testing.T) {
	small := qr(t, link, 0) // one pixel for each square
	plain := qr(t, link, 300)
	screen := image.NewRGBA(image.Rect(0, 0, 1280, 800)) // a screenshot of a dark page
	draw.Draw(screen, screen.Bounds(), image.NewUniform(color.RGBA{20, 22, 30, 255}), image.Point{}, draw.Src)
	draw.Draw(screen, image.Rect(700, 300, 1000, 600), plain, image.Point{}, draw.Src)
	inverted := image.NewGray(plain.Bounds())
	clear := image.NewNRGBA(plain.Bounds())
	for y := range 300 {
		for x := range 300 {
			g := color.GrayModel.Convert(plain.At(x, y)).(color.Gray)
			inverted.SetGray(x, y, color.Gray{255 - g.Y})
			if g.Y < 128 {
				clear.SetNRGBA(x, y, color.NRGBA{0, 0, 0, 255})
			}
		}
	}
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, screen, &jpeg.Options{Quality: 60}); err != nil {
		t.Fatal(err)
	}
	webp, err := os.ReadFile("testdata/acme.webp")
	if err != nil {
		t.Fatal(err)
	}
	for name, picture := range map[string][]byte{
		"plain": asPNG(t, plain), "one pixel each": asPNG(t, small), "screenshot": asPNG(t, screen), "jpeg": photo.Bytes(),
		"inverted": asPNG(t, inverted), "transparent": asPNG(t, clear), "huge": asPNG(t, qr(t, link, 4000)), "webp": webp,
	} {
		im, err := ParsePicture(picture)
		if err != nil || len(im.Keys) != 1 || im.Keys[0].Account != "alice@acme.test" || !im.Keys[0].Seed.Same(vault.NewSecret("", plainSeed)) {
			t.Errorf("%s: %+v, %v", name, im, err)
		}
	}
}

func TestSeveralInAPicture(t *testing.T) {
	page := image.NewRGBA(image.Rect(0, 0, 1400, 700))
	draw.Draw(page, page.Bounds(), image.White, image.Point{}, draw.Src)
	for i, text := range []string{
		link, "https://example.com/get-the-app",
		"otpauth-migration://offline?data=" + migration(2, 0, 9, entry("One", "a", plainSeed, 1, 1, 2), entry("Two", "b", plainSeed, 1, 1, 2)),
	} {
		draw.Draw(page, image.Rect(50+i*450, 150, 450+i*450, 550), qr(t, text, 400), image.Point{}, draw.Src)
	}
	im, err := ParsePicture(asPNG(t, page))
	if err != nil || len(im.Keys) != 3 || len(im.Missing()) != 1 {
		t.Errorf("%+v, %q, %v", im, im.Missing(), err)
	}
}

func TestWrongPictures(t *testing.T) {
	blank := image.NewGray(image.Rect(0, 0, 300, 200))
	whole := asPNG(t, qr(t, link, 300))
	bomb := bytes.Clone(whole)
	copy(bomb[16:24], []byte{0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0}) // 100,000 × 100,000
	for name, try := range map[string]struct {
		picture []byte
		want    error
		says    string
	}{
		"nothing":    {nil, ErrPicture, "PNG"},
		"text":       {[]byte(link), ErrPicture, "PNG"},
		"pdf":        {[]byte("%PDF-1.4"), ErrPicture, "PNG"},
		"blank":      {asPNG(t, blank), ErrNoCode, "sharper"},
		"cut":        {whole[:len(whole)/2], ErrPicture, "damaged"},
		"cut early":  {whole[:20], ErrPicture, "damaged"},
		"bomb":       {bomb, ErrPicture, ""},
		"too large":  {append(bytes.Clone(whole), make([]byte, mostPicture)...), ErrPicture, "32 MB"},
		"address":    {asPNG(t, qr(t, "https://example.com/"+plainSeed, 300)), ErrForeign, "web address"},
		"wifi":       {asPNG(t, qr(t, "WIFI:T:WPA;S:home;P:"+plainSeed+";;", 300)), ErrForeign, "wireless"},
		"words":      {asPNG(t, qr(t, "hello "+plainSeed, 300)), ErrForeign, "otpauth://"},
		"counted":    {asPNG(t, qr(t, "otpauth://hotp/x?secret="+plainSeed, 300)), ErrCounter, "HOTP"},
		"cut export": {asPNG(t, qr(t, "otpauth-migration://offline?data="+migration(1, 0, 0, entry("a", "b", plainSeed, 1, 1, 2))[:40], 300)), ErrTruncated, "early"},
	} {
		im, err := ParsePicture(try.picture)
		if !errors.Is(err, try.want) || !strings.Contains(err.Error(), try.says) || strings.Contains(err.Error(), "JBSW") || len(im.Keys) > 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
