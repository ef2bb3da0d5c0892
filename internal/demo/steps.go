package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// work is the agent's script: one step after the other, each told after it was done and read back.
func (a *agent) work(ctx context.Context) error {
	if _, err := a.do(ctx, "open_session", nil); err != nil {
		return err
	}
	steps := []func(context.Context) error{
		a.signIn, a.readTable, a.writeInFrame, a.openShadow, a.readOtherTab, a.answerDialog, a.waitForSlow, a.payIfAllowed,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	_, err := a.do(ctx, "close_session", nil)
	return err
}

func (a *agent) signIn(ctx context.Context) error {
	if _, err := a.do(ctx, "navigate", map[string]any{"url": a.site.URL}); err != nil {
		return err
	}
	seen, err := a.look(ctx)
	if err != nil {
		return err
	}
	a.say("demo.opened", seen.title())
	email, err := seen.ref("textbox", "Email")
	if err != nil {
		return err
	}
	secret, err := seen.ref("textbox", "Password")
	if err != nil {
		return err
	}
	button, err := seen.ref("button", "Sign in")
	if err != nil {
		return err
	}
	got, err := a.do(ctx, "get_credential", map[string]any{"account": account})
	if err != nil {
		return err
	}
	name, _ := got.Object["username"].(string)
	alias, _ := got.Object["aliasName"].(string)
	for _, field := range []struct{ ref, value string }{{email, name}, {secret, "<" + alias + ">"}} {
		if _, err := a.do(ctx, "fill", map[string]any{"ref": field.ref, "value": field.value}); err != nil {
			return err
		}
	}
	if _, err := a.do(ctx, "click", map[string]any{"ref": button}); err != nil {
		return err
	}
	if seen, err = a.look(ctx); err != nil {
		return err
	}
	code, err := seen.ref("textbox", "Code")
	if err != nil {
		return err
	}
	if _, err := a.do(ctx, "fill", map[string]any{"ref": code, "value": codeAlias, "timeoutMs": 15000}); err != nil {
		return err
	}
	if _, err := a.press(ctx, "button", "Go on"); err != nil {
		return err
	}
	if err := a.expect(ctx, "Signed in as "+name); err != nil {
		return err
	}
	a.say("demo.signedin", name, "<"+alias+">", codeAlias)
	return nil
}

// codeAlias is what the agent writes for the one-time code.
const codeAlias = "<TOTP_FERNHILL>"

func (a *agent) readTable(ctx context.Context) error {
	seen, err := a.look(ctx)
	if err != nil {
		return err
	}
	found := 0
	for _, order := range orders {
		if strings.Contains(string(seen), order.Number) && strings.Contains(string(seen), order.Customer) {
			found++
		}
	}
	if found != len(orders) {
		return fmt.Errorf("only %d of %d orders are in the snapshot:\n%s", found, len(orders), seen)
	}
	a.say("demo.table", found, orders[2].Number, orders[2].Customer, orders[2].State)
	return nil
}

func (a *agent) writeInFrame(ctx context.Context) error {
	seen, err := a.look(ctx)
	if err != nil {
		return err
	}
	note, err := seen.ref("textbox", "Delivery note")
	if err != nil {
		return err
	}
	save, err := seen.ref("button", "Save note")
	if err != nil {
		return err
	}
	if _, err := a.do(ctx, "fill", map[string]any{"ref": note, "value": "Ring twice."}); err != nil {
		return err
	}
	if _, err := a.do(ctx, "click", map[string]any{"ref": save}); err != nil {
		return err
	}
	if err := a.expect(ctx, "Note saved."); err != nil {
		return err
	}
	return a.toldAndSeen("delivery note: Ring twice.", "demo.frame")
}

func (a *agent) openShadow(ctx context.Context) error {
	if _, err := a.press(ctx, "button", "Show tax"); err != nil {
		return err
	}
	got, err := a.do(ctx, "text_search", map[string]any{"text": "Tax included"})
	if err != nil {
		return err
	}
	if !strings.Contains(got.Text, "7.98") {
		return fmt.Errorf("the tax is not on the page: %s", got.Text)
	}
	a.say("demo.shadow", "7.98 €")
	return nil
}

func (a *agent) readOtherTab(ctx context.Context) error {
	first, err := a.tabs(ctx)
	if err != nil {
		return err
	}
	if _, err := a.press(ctx, "link", "Help"); err != nil {
		return err
	}
	second, err := a.tabs(ctx)
	if err != nil {
		return err
	}
	opened := slices.DeleteFunc(second, func(id string) bool { return slices.Contains(first, id) })
	if len(first) != 1 || len(opened) != 1 {
		return fmt.Errorf("the link opened %d tabs beside %d, not one beside one", len(opened), len(first))
	}
	if _, err := a.do(ctx, "tabs", map[string]any{"action": "select", "id": opened[0]}); err != nil {
		return err
	}
	if err := a.expect(ctx, "four in the afternoon"); err != nil {
		return err
	}
	seen, err := a.look(ctx)
	if err != nil {
		return err
	}
	a.say("demo.tab", seen.title())
	if _, err := a.do(ctx, "tabs", map[string]any{"action": "close", "id": opened[0]}); err != nil {
		return err
	}
	_, err = a.do(ctx, "tabs", map[string]any{"action": "select", "id": first[0]})
	return err
}

// tabs lists the ids of the session's tabs.
func (a *agent) tabs(ctx context.Context) ([]string, error) {
	got, err := a.do(ctx, "tabs", map[string]any{"action": "list"})
	if err != nil {
		return nil, err
	}
	list, _ := got.Object["tabs"].([]any)
	var ids []string
	for _, entry := range list {
		tab, _ := entry.(map[string]any)
		if id, _ := tab["id"].(string); id != "" {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (a *agent) answerDialog(ctx context.Context) error {
	if _, err := a.do(ctx, "set_dialog_policy", map[string]any{"mode": "accept"}); err != nil {
		return err
	}
	got, err := a.press(ctx, "button", "Archive order 1003")
	if err != nil {
		return err
	}
	dialogs, _ := got.Object["dialogs"].([]any)
	if len(dialogs) != 1 {
		return fmt.Errorf("the click reports %d dialogs, not one: %s", len(dialogs), got.Text)
	}
	if err := a.expect(ctx, "Order 1003 is archived."); err != nil {
		return err
	}
	dialog, _ := dialogs[0].(map[string]any)
	a.say("demo.dialog", dialog["message"])
	return nil
}

func (a *agent) waitForSlow(ctx context.Context) error {
	if _, err := a.press(ctx, "button", "Load history"); err != nil {
		return err
	}
	if err := a.expect(ctx, "Order 999 was returned."); err != nil {
		return err
	}
	return a.toldAndSeen("history loaded", "demo.slow", slowness.Milliseconds())
}

// payIfAllowed is the step that belongs to the person.
func (a *agent) payIfAllowed(ctx context.Context) error {
	if a.here {
		a.say("demo.asking.here")
	} else {
		a.say("demo.asking")
	}
	got, err := a.do(ctx, "await_human", map[string]any{"kind": "confirm", "prompt": "Pay invoice 7731 to Bramble & Sons, 42.00 €?"})
	if err != nil {
		return err
	}
	if yes, _ := got.Object["value"].(bool); !yes {
		if slices.Contains(a.site.Seen(), "invoice 7731 paid") {
			return fmt.Errorf("the shop was paid without the person's approval")
		}
		a.refused()
		return nil
	}
	if _, err := a.press(ctx, "button", "Pay 42.00 €"); err != nil {
		return err
	}
	if err := a.expect(ctx, "Invoice 7731 is paid."); err != nil {
		return err
	}
	return a.toldAndSeen("invoice 7731 paid", "demo.paid")
}

// toldAndSeen tells of a step only after the shop saw it too.
func (a *agent) toldAndSeen(event, key string, args ...any) error {
	if seen := a.site.Seen(); !slices.Contains(seen, event) {
		return fmt.Errorf("the page says it is done, but the shop did not see %q, only %q", event, seen)
	}
	a.say(key, args...)
	return nil
}
