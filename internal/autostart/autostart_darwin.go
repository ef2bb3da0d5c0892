package autostart

import (
	"bytes"
	"encoding/xml"
	"path/filepath"
	"strings"
)

const label = "app.chaperone.desktop"

func (e Entry) path() string {
	return filepath.Join(e.Home, "Library", "LaunchAgents", label+".plist")
}

func (e Entry) write() error {
	var b strings.Builder
	b.WriteString(xml.Header + `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">` + "\n")
	b.WriteString("<plist version=\"1.0\"><dict>\n<key>Label</key>" + text(label) + "\n<key>RunAtLoad</key><true/>\n<key>ProgramArguments</key><array>")
	for _, word := range append([]string{e.Binary}, e.Args...) {
		b.WriteString(text(word))
	}
	b.WriteString("</array>\n")
	if e.Workspace != "" {
		b.WriteString("<key>EnvironmentVariables</key><dict><key>BROWX_WORKSPACE</key>" + text(e.Workspace) + "</dict>\n")
	}
	b.WriteString("</dict></plist>\n")
	return put(e.path(), b.String())
}

func (e Entry) remove() error { return drop(e.path()) }

func text(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer takes everything
	return "<string>" + b.String() + "</string>"
}
