package server

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Nothing reaches a client but through egress: the library that writes to clients is known only to the files that adapt it,
// and those take what they write from an egress.Reply, or through Text.
func TestOneDoor(t *testing.T) {
	adapters := []string{"adapt.go", "elicit.go", "server.go"}
	writers := []string{"CallToolResult", "NewToolResultText", "NewToolResultError", "NewTextContent", "NewImageContent", "SendNotificationToClient", "SendNotificationToAllClients",
		"SendNotificationToSpecificClient", "SendLogMessageToClient", "RequestElicitation", "RequestSampling", "ElicitationParams", "NewInputRequestBuilder"}
	calls := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "listen" || d.Name() == "testdata") {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, i := range file.Imports {
			if strings.Contains(i.Path.Value, "mark3labs/mcp-go") && !slices.Contains(adapters, path) {
				t.Errorf("%s imports %s", path, i.Path.Value)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok || !slices.Contains(writers, s.Sel.Name) {
				return true
			}
			if path != "adapt.go" && path != "elicit.go" {
				t.Errorf("%s uses %s", path, s.Sel.Name)
			}
			calls++
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if calls < 5 {
		t.Errorf("only %d uses of what writes to clients were found: the names are out of date", calls)
	}
	// In adapt.go a text comes from a Reply or an Ask, which only egress makes.
	file, err := parser.ParseFile(token.NewFileSet(), "adapt.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if s, ok := call.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "NewTextContent" {
			arg, ok := call.Args[0].(*ast.SelectorExpr)
			if !ok || arg.Sel.Name != "Text" {
				t.Error("a text that is not that of a reply is written")
			}
		}
		return true
	})
}
