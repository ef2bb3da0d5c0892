package tools_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"reflect"
	"strings"
	"testing"
	"time"

	"chaperone/server/journal"
)

const checkPage = `<meta charset=utf-8><title>Check</title><link rel=icon href="data:,"><style>.big{color:rgb(1,2,3)} .tip::before{content:"→ "} #menu{display:none} #menu.open{display:block}</style>
<h1>Orders of <b>Ada</b></h1><p id=late></p><p id=hid hidden>hidden words</p>
<label>Name <input id=name value="Ada Lovelace" data-kind=plain></label>
<label>Password <input id=pw type=password value="hunter2-really" minlength=3></label>
<label><input type=checkbox id=c checked> Agree</label><button id=b disabled>Save</button>
<select id=s aria-label=Size><option value=1>Small<option value=2 selected>Large</select>
<details id=d><summary>More</summary>inside</details><div id=area class="big tip" style="width:50px;overflow:hidden;white-space:nowrap">a text that is far too long for its box</div>
<ul><li class=i>one<li class=i>two<li class=i style="display:none">three</ul>
<script>setTimeout(() => { late.textContent = 'it came late'; b.disabled = false; d.open = true }, 400)</script>`

func TestVerify(t *testing.T) {
	s := site(t, map[string]string{"/": checkPage})
	r := newRig(t)
	r.do("navigate", args{"url": s.URL})
	for _, c := range []struct {
		tool string
		args args
	}{
		{"verify_text", args{"selector": "#late", "text": "came  late"}},
		{"verify_text", args{"selector": "h1", "text": "Orders of Ada", "match": "exact"}},
		{"verify_text", args{"selector": "h1", "text": "^orders .* ADA$", "match": "regex", "ignoreCase": true}},
		{"verify_text", args{"target": args{"selector": "h1"}, "text": "of ada", "ignoreCase": true}},
		{"verify_visible", args{"selector": "h1"}},
		{"verify_visible", args{"target": "#late"}},
		{"verify_value", args{"selector": "#name", "value": "Ada Lovelace"}},
		{"verify_value", args{"selector": "#name", "value": "Love", "match": "contains"}},
		{"verify_value", args{"selector": "#s", "value": "Large"}},
		{"verify_value", args{"selector": "#s", "value": "2"}},
		{"verify_count", args{"selector": ".i", "count": 3}},
		{"verify_count", args{"selector": ".i", "count": 2, "visibleOnly": true}},
		{"verify_count", args{"selector": ".i", "min": 2, "max": 4}},
		{"verify_count", args{"selector": ".none", "count": 0}},
		{"verify_attribute", args{"selector": "#name", "name": "data-kind", "value": "plain"}},
		{"verify_attribute", args{"selector": "#name", "name": "data-kind"}},
		{"verify_attribute", args{"selector": "#name", "name": "data-no", "absent": true}},
		{"verify_predicate", args{"selector": "#b", "is": "enabled"}},
		{"verify_predicate", args{"selector": "#c", "is": "checked"}},
		{"verify_predicate", args{"selector": "#c", "is": "unchecked", "not": true}},
		{"verify_predicate", args{"selector": "summary", "is": "expanded"}},
		{"verify_predicate", args{"selector": "#hid", "is": "hidden"}},
		{"verify_predicate", args{"selector": "#nothing", "is": "hidden"}},
		{"verify_predicate", args{"selector": "#name", "is": "editable"}},
		{"verify_predicate", args{"selector": "#pw", "is": "filled"}},
		{"verify_predicate", args{"selector": "#s option >> nth=1", "is": "selected"}},
		{"verify_predicate", args{"selector": "h1", "is": "in-viewport"}},
		{"verify_value", args{"selector": "#pw", "value": "filled"}},
	} {
		if got := r.do(c.tool, c.args); got.at("ok") != true || got.at("failure") != nil {
			t.Errorf("%s %v: %s", c.tool, c.args, got.text)
		}
	}
	for _, c := range []struct {
		tool           string
		args           args
		kind, expected string
		actual         any
	}{
		{"verify_text", args{"selector": "h1", "text": "Grace"}, "text-mismatch", "Grace", "Orders of Ada"},
		{"verify_visible", args{"selector": "#hid"}, "not-visible", "visible", "hidden"},
		{"verify_visible", args{"selector": "#nothing"}, "not-found", "visible", nil},
		{"verify_value", args{"selector": "#name", "value": "Grace"}, "value-mismatch", "Grace", "Ada Lovelace"},
		{"verify_value", args{"selector": "#pw", "value": ""}, "value-mismatch", "", "filled"},
		{"verify_value", args{"selector": "#c", "value": "on"}, "no-such-state", "on", nil},
		{"verify_count", args{"selector": ".i", "count": 7}, "count-mismatch", "7", 3.0},
		{"verify_attribute", args{"selector": "#name", "name": "data-kind", "value": "x"}, "attribute-mismatch", "x", "plain"},
		{"verify_attribute", args{"selector": "#name", "name": "data-no"}, "attribute-missing", "present", nil},
		{"verify_attribute", args{"selector": "#name", "name": "data-kind", "absent": true}, "attribute-present", "<nil>", "plain"},
		{"verify_predicate", args{"selector": "#c", "is": "unchecked"}, "predicate-false", "unchecked", "checked"},
		{"verify_predicate", args{"selector": "#name", "is": "focused"}, "predicate-false", "focused", "not focused"},
		{"verify_predicate", args{"selector": "h1", "is": "checked"}, "no-such-state", "checked", nil},
	} {
		c.args["timeoutMs"] = 600
		began := time.Now()
		got := r.refuse(c.tool, c.args)
		said := fmt.Sprint(got.at("failure", "expected"))
		if m, ok := got.at("failure", "expected").(map[string]any); ok {
			said = fmt.Sprint(m["value"])
		}
		if got.at("failure", "kind") != c.kind || said != c.expected || got.at("failure", "actual") != c.actual || got.at("failure", "source") != "app" {
			t.Errorf("%s %v: %s", c.tool, c.args, got.text)
		}
		if took := time.Since(began); took > 900*time.Millisecond {
			t.Errorf("%s %v took %v", c.tool, c.args, took)
		}
	}
	r.refuse("verify_count", args{"selector": ".i"}, "give either count")
	r.refuse("verify_text", args{"selector": "h1", "text": "(a", "match": "regex"}, "cannot be read")
	r.refuse("verify_text", args{"selector": "h1:::", "text": "x"}, "not valid CSS")
	// A ref of an element that is gone is told at once.
	found := r.do("find", args{"query": "Save button"})
	ref := found.at("candidates", 0, "ref")
	r.do("reload", nil)
	if got := r.refuse("verify_visible", args{"ref": ref}); got.at("failure", "kind") != "gone" {
		t.Errorf("%s", got.text)
	}
	if got := r.do("verify_predicate", args{"ref": ref, "is": "hidden"}); got.at("ok") != true {
		t.Errorf("%s", got.text)
	}
}

// Nothing of what a protected field holds can be asked for, by any of these tools and in any way.
func TestChecksAreNoOracle(t *testing.T) {
	s := site(t, map[string]string{"/": checkPage + `<input id=was type=password value="hunter2-really" aria-label=Was><script>was.type='text'</script><iframe srcdoc="<input type=password value=hunter2-really id=inner>"></iframe>`})
	r := newRig(t, "BROWX_ALLOWED_ORIGINS", s.URL)
	r.do("navigate", args{"url": s.URL})
	r.do("verify_predicate", args{"selector": "#inner", "is": "filled"})
	for _, pair := range [][2]any{ // a right guess and a wrong one
		{args{"selector": "#pw", "value": "hunter2-really"}, args{"selector": "#pw", "value": "wrong"}},
		{args{"selector": "#was", "value": "hunter2-really"}, args{"selector": "#was", "value": "wrong"}},
		{args{"selector": "#inner", "value": "hunter2-really"}, args{"selector": "#inner", "value": "wrong"}},
		{args{"selector": "#pw", "value": "hunter", "match": "contains"}, args{"selector": "#pw", "value": "qqq", "match": "contains"}},
		{args{"selector": "#pw", "value": "^h", "match": "regex"}, args{"selector": "#pw", "value": "^q", "match": "regex"}},
		{args{"selector": "#pw", "value": "^.{14}$", "match": "regex"}, args{"selector": "#pw", "value": "^.{3}$", "match": "regex"}},
		{args{"selector": "#pw", "value": "filled", "match": "regex"}, args{"selector": "#pw", "value": "", "match": "contains"}},
		{args{"selector": "#pw", "value": "<PASSWORD>"}, args{"selector": "#pw", "value": "<PASSWORD>"}},
	} {
		right, wrong := r.try("verify_value", pair[0].(args)), r.try("verify_value", pair[1].(args))
		if !right.failed || !wrong.failed || right.at("failure", "kind") != "protected" || !reflect.DeepEqual(right.json, wrong.json) {
			t.Errorf("%v: %s, %v: %s", pair[0], right.text, pair[1], wrong.text)
		}
	}
	for tool, pairs := range map[string][][2]args{
		"verify_attribute": {{{"selector": "#pw", "name": "value", "value": "hunter2-really"}, {"selector": "#pw", "name": "VALUE", "value": "wrong"}}},
		"verify_count":     {{{"selector": `#pw[value^="h"]`, "count": 1}, {"selector": `#pw[value^="q"]`, "count": 1}}, {{"selector": `//input[starts-with(@value,"h")]`, "count": 1}, {"selector": `//input[starts-with(@value,"q")]`, "count": 1}}},
		"verify_visible":   {{{"selector": `#pw[value*="unter"]`}, {"selector": `#pw[value*="qqq"]`}}},
		"verify_text":      {{{"selector": "#pw", "text": "hunter2-really"}, {"selector": "#pw", "text": "wrong"}}},
		"verify_predicate": {{{"selector": `input[value$="really"]`, "is": "visible"}, {"selector": `input[value$="qqq"]`, "is": "visible"}}},
		"inspect":          {{{"selector": `#pw[value^="h"]`}, {"selector": `#pw[value^="q"]`}}},
	} {
		for _, pair := range pairs {
			right, wrong := r.try(tool, pair[0]), r.try(tool, pair[1])
			strip := func(g result) string {
				return strings.NewReplacer(`^=\"h`, "", `^=\"q`, "", `unter`, "", `qqq`, "", `really`, "", `@value,\"h`, "", `@value,\"q`, "").Replace(fmt.Sprint(g.json["error"], g.json["failure"]))
			}
			if !right.failed || !wrong.failed || strip(right) != strip(wrong) {
				t.Errorf("%s %v: %s, %v: %s", tool, pair[0], right.text, pair[1], wrong.text)
			}
		}
	}
	all := ""
	for _, c := range []struct {
		tool string
		args args
	}{
		{"inspect", args{"selector": "#pw"}}, {"inspect", args{"selector": "#was", "styles": []string{"::before", "width"}}}, {"shadow_trees", nil},
		{"extract", args{"schema": args{"type": "object", "properties": args{
			"a": args{"x-browx-source": args{"selector": "#pw", "prop": "value"}}, "b": args{"x-browx-source": args{"selector": "#pw", "attr": "value"}},
			"c": args{"x-browx-source": args{"selector": "#was"}}, "d": args{"x-browx-source": args{"selector": "#pw", "prop": "defaultValue"}}, "e": args{"x-browx-source": args{"selector": "body"}}, "f": args{"type": "number", "x-browx-source": args{"selector": "#pw", "prop": "selectionEnd"}},
		}}}},
		{"watch", args{"durationMs": 100}},
	} {
		all += r.do(c.tool, c.args).text
	}
	b := r.do("inspect", args{"selector": "#pw"})
	box := b.at("box").(map[string]any)
	all += r.do("point_probe", args{"coords": args{"x": box["x"].(float64) + 5, "y": box["y"].(float64) + 5}}).text
	all += r.do("generate_locator", args{"ref": b.at("ref")}).text
	if strings.Contains(all, "hunter2") {
		t.Errorf("it shows: %s", all)
	}
}

func TestVerifySecret(t *testing.T) {
	vault := newVaultSite(t)
	r := newRig(t, "BROWX_CAPABILITIES", withSecrets)
	r.do("register_secret", args{"name": "PASSWORD", "value": secretValue, "scope": vault.URL})
	r.do("register_secret", args{"name": "OTHER", "value": "other-value-9", "scope": vault.URL})
	r.do("register_secret", args{"name": "ELSEWHERE", "value": secretValue + "x", "scope": "https://elsewhere.example"})
	r.do("navigate", args{"url": vault.URL})
	if got := r.refuse("verify_value", args{"selector": "[name=p]", "value": "<PASSWORD>", "timeoutMs": 500}); got.at("failure", "actual") != "" || got.at("failure", "expected") != "<PASSWORD>" {
		t.Errorf("%s", got.text)
	}
	r.do("fill", args{"selector": "[name=p]", "value": "<PASSWORD>"})
	r.do("verify_value", args{"selector": "[name=p]", "value": "<PASSWORD>"})
	if got := r.refuse("verify_value", args{"selector": "[name=p]", "value": "<OTHER>", "timeoutMs": 500}); got.at("failure", "kind") != "value-mismatch" || got.at("failure", "actual") != "filled" {
		t.Errorf("%s", got.text)
	}
	r.refuse("verify_value", args{"selector": "[name=p]", "value": "<ELSEWHERE>", "timeoutMs": 500}, "nothing was compared", "elsewhere.example")
	r.refuse("verify_value", args{"selector": "[name=p]", "value": "<NOBODY>", "timeoutMs": 500}, "<NOBODY>", "<PASSWORD>")
	// A field for all to see that received a secret keeps it to itself from then on.
	r.do("fill", args{"selector": "[name=n]", "value": "<PASSWORD>"})
	r.do("verify_value", args{"selector": "[name=n]", "value": "<PASSWORD>"})
	if got := r.refuse("verify_value", args{"selector": "[name=n]", "value": "s3", "match": "contains"}); got.at("failure", "kind") != "protected" {
		t.Errorf("%s", got.text)
	}
	// What the page says of it can be checked as it is shown, and in no other way.
	r.do("click", args{"selector": "button"})
	r.do("verify_text", args{"selector": "h1", "text": "Your password is <PASSWORD>", "match": "exact"})
	for _, guess := range []string{"s3cr3t", "s", "hunter", "is s3"} {
		if got := r.refuse("verify_text", args{"selector": "h1", "text": "is " + strings.TrimPrefix(guess, "is "), "timeoutMs": 400}); strings.Contains(got.text, secretValue) || got.at("failure", "actual") != "Your password is <PASSWORD>" {
			t.Errorf("%s", got.text)
		}
	}
	r.refuse("verify_text", args{"selector": "h1", "text": "is .{14}$", "match": "regex", "timeoutMs": 400})
	if got := r.refuse("verify_attribute", args{"selector": "a", "name": "href", "value": "/s3", "match": "contains", "timeoutMs": 400}); !strings.Contains(got.text, "/<PASSWORD>") {
		t.Errorf("%s", got.text)
	}
	for _, e := range r.server.Journal().Entries(0) {
		if strings.Contains(string(e.Arguments), "s3cr3t-") {
			t.Errorf("the journal keeps %s", e.Arguments)
		}
	}
}

// Editable text that received a secret is no oracle either: its words are in no selector, no text, no name.
func TestSecretInEditableText(t *testing.T) {
	s := site(t, map[string]string{"/": `<link rel=icon href="data:,"><div id=box><div id=note contenteditable aria-label=Note></div> around it</div>`})
	r := newRig(t, "BROWX_CAPABILITIES", withSecrets)
	r.do("register_secret", args{"name": "PASSWORD", "value": secretValue, "scope": s.URL})
	r.do("navigate", args{"url": s.URL})
	r.do("fill", args{"selector": "#note", "value": "<PASSWORD>"})
	r.do("verify_value", args{"selector": "#note", "value": "<PASSWORD>"})
	for _, c := range []args{{"selector": `#note:has-text("s3c")`, "count": 1}, {"selector": `text=s3cr3t`, "min": 1}, {"selector": `#box:has-text("s3c")`, "count": 1}, {"selector": `//div[contains(.,"s3c")]`, "min": 1}} {
		c["timeoutMs"] = 300
		r.refuse("verify_count", c)
	}
	r.refuse("verify_text", args{"selector": "#box", "text": "s3c", "timeoutMs": 300})
	r.do("verify_text", args{"selector": "#box", "text": "around it", "match": "exact"})
	if got := r.do("extract", args{"schema": args{"properties": args{"a": args{"x-browx-source": args{"selector": "#note"}}, "b": args{"x-browx-source": args{"selector": "#box", "prop": "textContent"}}}}}); strings.Contains(got.text, "s3c") || got.at("data", "b") != "around it" || got.at("misses", 0, "reason") != "protected" {
		t.Errorf("%s", got.text)
	}
}

func TestInspectAndProbe(t *testing.T) {
	s := site(t, map[string]string{"/": checkPage + `<div style="position:fixed;left:300px;top:200px;width:200px;height:100px;z-index:5;overflow:auto" class="pane x" data-testid=pane><div style="height:500px;background:red"><span id=host></span></div></div>
<iframe style="position:fixed;left:600px;top:300px;width:200px;height:100px;border:4px solid" srcdoc="<body style='margin:0'><button style='width:100px;height:50px' id=in>Inner</button>"></iframe>
<script>const root = host.attachShadow({mode:'open'}); root.innerHTML = '<button style="width:100px;height:40px" data-testid=deep>Deep</button>'</script>`})
	r := newRig(t)
	r.do("set_viewport", args{"width": 1000, "height": 700})
	r.do("navigate", args{"url": s.URL})
	got := r.do("inspect", args{"selector": "#area", "styles": []string{"color", "backgroundColor", "--gap", "::before", "nope-nope"}})
	if got.at("found") != true || got.at("styles", "color") != "rgb(1, 2, 3)" || got.at("styles", "backgroundColor") == nil || got.at("pseudo", "::before", "content") != `"→ "` || got.at("overflowing", "x") != true || got.at("box", "width") != 50.0 || got.at("visible") != true || !strings.Contains(got.text, "nope-nope") {
		t.Errorf("%s", got.text)
	}
	if got := r.do("inspect", args{"selector": "#nothing"}); got.at("found") != false {
		t.Errorf("%s", got.text)
	}
	if got := r.do("inspect", args{"selector": "#in"}); got.at("box", "x") != 604.0 || got.at("box", "y") != 304.0 {
		t.Errorf("a box in a frame: %s", got.text)
	}
	got = r.do("point_probe", args{"coords": args{"x": 320, "y": 215}, "crop": true})
	if got.at("stack", 0, "testId") != "deep" || got.at("stack", 0, "role") != "button" || got.at("clickableAncestor", "tag") != "button" || got.at("scrollContainer", "tag") != "div" || len(got.images) != 1 || strings.Contains(got.text, "base64") {
		t.Errorf("%s", got.text)
	}
	found := false
	for _, e := range got.at("stack").([]any) {
		one := e.(map[string]any)
		found = found || one["testId"] == "pane" && one["zIndex"] == "5" && reflect.DeepEqual(one["classes"], []any{"pane", "x"}) && reflect.DeepEqual(one["bbox"], []any{300.0, 200.0, 200.0, 100.0})
	}
	if !found {
		t.Errorf("the pane is not in %s", got.text)
	}
	raw, err := base64.StdEncoding.DecodeString(got.images[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil || img.Bounds().Dx() != 240 || img.Bounds().Dy() != 240 {
		t.Fatalf("the picture: %v %v", err, img.Bounds())
	}
	// The picture's middle is the point, and further down it is red.
	if r, g, _, _ := img.At(120+100, 120+50).RGBA(); r>>8 < 250 || g>>8 > 5 {
		t.Errorf("there is %v", img.At(220, 170))
	}
	got = r.do("point_probe", args{"coords": args{"x": 620, "y": 320}})
	if got.at("stack", 0, "id") != "in" || got.at("stack", 0, "frame") == nil || !reflect.DeepEqual(got.at("stack", 0, "bbox"), []any{604.0, 304.0, 100.0, 50.0}) || !strings.Contains(got.text, `"tag":"iframe"`) {
		t.Errorf("%s", got.text)
	}
	r.refuse("point_probe", args{"coords": args{"x": 5000, "y": 1}}, "outside the viewport")
}

// The picture of a probe covers protected fields, wherever it is cut.
func TestProbePictureCovers(t *testing.T) {
	s := site(t, map[string]string{"/": `<link rel=icon href="data:,"><body style="margin:0;background:white"><input type=password style="position:absolute;left:400px;top:300px;width:120px;height:40px;background:rgb(255,0,0);color:rgb(255,0,0);border:0" value="hunter2-really">`})
	r := newRig(t)
	r.do("navigate", args{"url": s.URL})
	got := r.do("point_probe", args{"coords": args{"x": 460, "y": 320}, "crop": true})
	raw, _ := base64.StdEncoding.DecodeString(got.images[0].Data)
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, g, _, _ := img.At(x, y).RGBA(); r>>8 > 200 && g>>8 < 50 {
				t.Fatalf("the field is seen at %d %d: %s", x, y, got.text)
			}
		}
	}
	if got.at("crop", "note") == nil {
		t.Errorf("%s", got.text)
	}
}

const shopPage = `<meta charset=utf-8><title>Shop</title><link rel=icon href="data:,"><h1>Shop</h1><table id=t><tr><th>Item<th>Price<th>Left</tr>
<tr class=row data-id=7><td class=n>Tea<td class=p>$1,234.50<td class=q>12<td><input type=checkbox checked></tr>
<tr class=row data-id=8><td class=n>Milk<td class=p>1,234<td class=q>none<td><input type=checkbox></tr>
<tr class=row><td class=n>Salt<td class=p>1.234,50 €<td class=q>0012</tr></table><a id=l href="/x">link</a><script id=sc>var secret = 1</script><p class=twice>a<p class=twice>b`

func TestExtract(t *testing.T) {
	many := `<link rel=icon href="data:,"><ul>` + strings.Repeat("<li><b>x</b> y</li>", 1200) + "</ul>"
	s := site(t, map[string]string{"/": shopPage, "/many": many})
	r := newRig(t)
	r.do("navigate", args{"url": s.URL})
	row := func(props args) args {
		return args{"type": "object", "properties": args{"rows": args{"type": "array", "x-browx-source": args{"selector": "#t .row", "collection": true}, "items": args{"type": "object", "properties": props, "required": []string{"price"}}}}}
	}
	got := r.do("extract", args{"schema": row(args{
		"name": args{"type": "string", "x-browx-source": args{"selector": ".n"}}, "price": args{"type": "number", "x-browx-source": args{"selector": ".p"}},
		"left": args{"type": "integer", "x-browx-source": args{"selector": ".q"}}, "id": args{"type": []string{"integer", "null"}, "x-browx-source": args{"attr": "data-id"}},
		"on": args{"type": "boolean", "x-browx-source": args{"selector": "input", "prop": "checked"}},
	})})
	want := []any{
		map[string]any{"name": "Tea", "price": 1234.5, "left": 12.0, "id": 7.0, "on": true},
		map[string]any{"name": "Milk", "id": 8.0, "on": false},
		map[string]any{"name": "Salt", "price": 1234.5, "id": nil},
	}
	if !reflect.DeepEqual(got.at("data", "rows"), want) {
		t.Errorf("%s", got.text)
	}
	misses := map[string]string{}
	for _, m := range got.at("misses").([]any) {
		one := m.(map[string]any)
		misses[one["path"].(string)] = fmt.Sprint(one["reason"], " ", one["required"], " ", one["found"])
	}
	for path, reason := range map[string]string{"rows[1].price": "ambiguous-number true 1,234", "rows[1].left": "type-mismatch <nil> none", "rows[2].left": "leading-zero <nil> 0012", "rows[2].on": "no-match <nil> <nil>", "rows[2].id": "no-attribute <nil> <nil>"} {
		if misses[path] != reason {
			t.Errorf("%s: %q, want %q", path, misses[path], reason)
		}
	}
	if again := r.do("extract", args{"schema": row(args{"price": args{"x-browx-source": args{"selector": ".p"}}}), "scope": "table"}); again.at("data", "rows", 2, "price") != "1.234,50 €" {
		t.Errorf("%s", again.text)
	}
	got = r.do("extract", args{"schema": args{"properties": args{
		"code": args{"x-browx-source": args{"selector": "#sc", "prop": "textContent"}}, "html": args{"x-browx-source": args{"selector": "#t", "prop": "innerHTML"}}, "twice": args{"x-browx-source": args{"selector": ".twice"}},
		"href": args{"x-browx-source": args{"selector": "#l", "attr": "href"}}, "none": args{"x-browx-source": args{"selector": ".none"}},
		"cells": args{"type": "array", "items": args{"type": "string"}, "x-browx-source": args{"selector": "#t", "collection": ".n"}},
	}}})
	if got.at("data", "code") != "" && got.at("data", "code") != nil || got.at("data", "html") != nil || got.at("data", "twice") != "a" || got.at("firstOfSeveral", 0) != "twice" || got.at("data", "href") != "/x" || !reflect.DeepEqual(got.at("data", "cells"), []any{"Tea", "Milk", "Salt"}) || strings.Contains(got.text, "var secret") || !strings.Contains(got.text, "no-such-prop") {
		t.Errorf("%s", got.text)
	}
	for _, bad := range []any{args{"type": "object"}, args{"type": "array", "items": args{}}, args{"type": []string{"string", "number"}}, args{"oneOf": []any{}}, args{"x-browx-source": args{"selctor": "a"}}, args{"x-browx-source": args{"attr": "a", "prop": "b"}}} {
		r.refuse("extract", args{"schema": bad})
	}
	r.refuse("extract", args{"schema": args{"x-browx-source": args{"selector": "p["}}}, "not valid CSS")
	r.do("navigate", args{"url": s.URL + "/many"})
	list := args{"type": "array", "items": args{"x-browx-source": args{"selector": "b"}}, "x-browx-source": args{"selector": "li"}}
	got = r.do("extract", args{"schema": list})
	if len(got.at("data").([]any)) != 200 || got.at("partial", 0, "total") != 1200.0 || got.at("hint") == nil {
		t.Errorf("%.300s", got.text)
	}
	if got := r.do("extract", args{"schema": list, "skip": 1150, "maxItems": 100}); len(got.at("data").([]any)) != 50 || got.at("partial", 0, "skipped") != 1150.0 {
		t.Errorf("%.300s", got.text)
	}
}

func TestShadowTrees(t *testing.T) {
	s := site(t, map[string]string{"/": `<link rel=icon href="data:,"><div id=o></div><my-box></my-box><section id=cl style="width:200px;height:50px"></section><iframe srcdoc="<p id=q></p><script>q.attachShadow({mode:'open'}).innerHTML='<i>in frame</i>'</script>"></iframe><script>
o.attachShadow({mode:'open'}).innerHTML = '<button>One</button><div><b>two</b></div>';
cl.attachShadow({mode:'closed'}).innerHTML = '<em>closed</em>';
customElements.define('my-box', class extends HTMLElement { connectedCallback() { this.attachShadow({mode:'closed'}).innerHTML = '<button>Hidden</button>' } })</script>`})
	r := newRig(t)
	r.do("navigate", args{"url": s.URL})
	got := r.do("shadow_trees", nil)
	modes := map[string]string{}
	for _, x := range got.at("trees").([]any) {
		tree := x.(map[string]any)
		modes[tree["hostTag"].(string)] = fmt.Sprint(tree["mode"], tree["descendantCount"])
	}
	if want := map[string]string{"div": "open3", "my-box": "closed1", "section": "closed1", "p": "open1"}; !reflect.DeepEqual(modes, want) || got.at("closedShadowAvailable") != true {
		t.Errorf("%v: %s", modes, got.text)
	}
	// The refs can be acted on.
	for _, x := range got.at("trees").([]any) {
		if tree := x.(map[string]any); tree["hostTag"] == "my-box" {
			child := tree["children"].([]any)[0].(map[string]any)
			r.do("verify_text", args{"ref": child["ref"], "text": "Hidden"})
			r.refuse("generate_locator", args{"ref": child["ref"]}, "closed shadow root")
		}
	}
	if got := r.do("shadow_trees", args{"maxHosts": 1}); len(got.at("trees").([]any)) != 1 || got.at("total") != 4.0 || got.at("warnings") == nil {
		t.Errorf("%s", got.text)
	}
}

func TestGenerateLocator(t *testing.T) {
	s := site(t, map[string]string{"/": `<meta charset=utf-8><link rel=icon href="data:,"><button id=save>Save</button><button>It's “odd”</button><button aria-hidden=true id=ghost data-testid=ghost>Ghost</button>
<label>Your mail <input id=mail></label><input id=ph placeholder="Search here"><p id=para>Only paragraph</p><div id=tid data-testid=thing></div>
<ul><li id=ada>Ada <button class=del>Delete</button></li><li id=bob>Bob <button class=del>Delete</button></li></ul><span class=blank></span><span class=blank id=blank2></span>
<div id=host></div><iframe name=inner srcdoc="<button>Inside</button>"></iframe><script>host.attachShadow({mode:'open'}).innerHTML='<i></i><i class=x></i>'</script>`})
	r := newRig(t)
	r.do("navigate", args{"url": s.URL})
	for selector, want := range map[string]string{
		"#save":                          "page.getByRole('button', { name: 'Save', exact: true })",
		`role=button[name="It's “odd”"]`: `page.getByRole('button', { name: 'It\'s “odd”', exact: true })`,
		"#mail":                          "page.getByRole('textbox', { name: 'Your mail', exact: true })",
		"#ghost":                         "page.getByText('Ghost', { exact: true })",
		"#ph":                            "page.getByRole('textbox', { name: 'Search here', exact: true })",
		"#para":                          "page.getByText('Only paragraph', { exact: true })",
		"#tid":                           "page.getByTestId('thing')",
		"#blank2":                        "page.locator('#blank2')",
		"role=button[name=Inside]":       `page.frameLocator('iframe[name="inner"]').getByRole('button', { name: 'Inside', exact: true })`,
	} {
		if got := r.do("generate_locator", args{"selector": selector}); got.at("locator") != want {
			t.Errorf("%s: %s", selector, got.text)
		}
	}
	got := r.do("generate_locator", args{"selector": "#bob .del"})
	if l := fmt.Sprint(got.at("locator")); !strings.HasSuffix(l, ".getByRole('button', { name: 'Delete', exact: true })") || !strings.Contains(l, "Bob") && !strings.Contains(l, "#bob") {
		t.Errorf("%s", got.text)
	}
	if got := r.do("generate_locator", args{"selector": "#host >> i.x"}); got.at("kind") != "css" || got.at("warnings") == nil {
		t.Errorf("%s", got.text)
	}
}

func TestWatch(t *testing.T) {
	s := site(t, map[string]string{"/": `<link rel=icon href="data:,"><h1>Stays</h1><div role=status id=st>idle</div><button onclick="document.title='clicked'">Press</button><script>
onload = () => {
setTimeout(() => { const a = document.createElement('div'); a.setAttribute('role','alert'); a.textContent = 'Saved!'; document.body.append(a); setTimeout(() => a.remove(), 300); console.log('toast'); fetch('/api?x=1') }, 700);
setTimeout(() => { st.textContent = 'busy' }, 900) }</script>`, "/api": "ok"})
	r := newRig(t)
	r.do("navigate", args{"url": s.URL})
	// An action goes on meanwhile.
	done := make(chan time.Duration)
	watching := make(chan struct{}, 1)
	defer r.server.Journal().Subscribe(func(e journal.Entry) {
		if e.Tool == "watch" && e.Outcome == journal.Running {
			select {
			case watching <- struct{}{}:
			default:
			}
		}
	})()
	go func() {
		<-watching
		began := time.Now()
		r.try("click", args{"selector": "button"})
		done <- time.Since(began)
	}()
	began := time.Now()
	got := r.do("watch", args{"durationMs": 2500, "sampleMs": 100})
	if took := time.Since(began); took < 2400*time.Millisecond || took > 4*time.Second {
		t.Errorf("it took %v", took)
	}
	if took := <-done; took > 2*time.Second {
		t.Errorf("the click waited %v", took)
	}
	alert, busy := map[string]any{}, map[string]any{}
	for _, x := range got.at("regions").([]any) {
		region := x.(map[string]any)
		switch region["role"] {
		case "alert":
			alert = region
		case "status":
			if region["name"] == "busy" {
				busy = region
			}
		case "heading":
			t.Errorf("what stays is told: %v", region)
		}
	}
	from, _ := alert["appearedAtMs"].(float64)
	to, _ := alert["disappearedAtMs"].(float64)
	if alert["name"] != "Saved!" || to-from < 200 || to-from > 700 || busy["disappearedAtMs"] != nil || busy["appearedAtMs"] == nil {
		t.Errorf("%v %v: %s", alert, busy, got.text)
	}
	if !strings.Contains(fmt.Sprint(got.at("console", "recent")), "toast") || got.at("network", "summary", "total") != 1.0 || strings.Contains(got.text, "x=1") || got.at("samples").(float64) < 5 {
		t.Errorf("%s", got.text)
	}
}

// Deadlines hold on pages that do not answer, and on patterns that never end.
func TestChecksEndInTime(t *testing.T) {
	s := site(t, map[string]string{"/": `<link rel=icon href="data:,"><p id=p>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!</p><button onclick="setTimeout(() => { for (;;) {} })">Hang</button>`})
	r := newRig(t)
	r.do("navigate", args{"url": s.URL})
	inTime := func(what string, began time.Time, most time.Duration) {
		t.Helper()
		if took := time.Since(began); took > most {
			t.Errorf("%s took %v", what, took)
		}
	}
	began := time.Now()
	r.refuse("verify_text", args{"selector": "#p", "text": "^(a+)+$", "match": "regex", "timeoutMs": 500})
	inTime("a pattern", began, time.Second)
	r.try("click", args{"selector": "button", "timeoutMs": 500})
	for _, c := range []struct {
		tool string
		args args
	}{
		{"verify_visible", args{"selector": "#p"}}, {"verify_count", args{"selector": "p", "count": 1}}, {"inspect", args{"selector": "#p"}}, {"extract", args{"schema": args{"x-browx-source": args{"selector": "p"}}}},
		{"shadow_trees", nil}, {"generate_locator", args{"selector": "#p"}}, {"point_probe", args{"coords": args{"x": 5, "y": 5}}}, {"plan", args{"query": "p", "verb": "hover"}},
	} {
		if c.args == nil {
			c.args = args{}
		}
		c.args["timeoutMs"] = 500
		began = time.Now()
		r.refuse(c.tool, c.args)
		inTime(c.tool, began, 1500*time.Millisecond)
	}
	began = time.Now()
	r.try("watch", args{"durationMs": 500})
	inTime("watch", began, 12*time.Second)
}

// A pattern in a selector runs in the page, where nothing bounds it: the call ends all the same.
func TestPatternsInSelectorsEndInTime(t *testing.T) {
	s := site(t, map[string]string{"/": `<link rel=icon href="data:,"><p>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!</p>`})
	r := newRig(t)
	r.do("navigate", args{"url": s.URL})
	began := time.Now()
	got := r.refuse("verify_visible", args{"selector": `text=/^(a+)+$/`, "timeoutMs": 700})
	if took := time.Since(began); took > 1500*time.Millisecond || got.at("failure", "source") == nil {
		t.Errorf("after %v: %s", took, got.text)
	}
}
