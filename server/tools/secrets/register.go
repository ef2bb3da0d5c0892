package secrets

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"chaperone/assets"
	"chaperone/server/client"
	"chaperone/server/question"
	"chaperone/server/tool"
	"chaperone/vault"
	"chaperone/vault/origin"
	"chaperone/vault/registry"
)

type registerArgs struct {
	tool.InSession
	Name  string          `json:"name" jsonschema:"alias in capital letters, as PASSWORD"`
	Value string          `json:"value,omitempty" jsonschema:"the secret; left out, the person types it"`
	Scope json.RawMessage `json:"scope,omitempty" jsonschema:"origin or list of origins it may be typed on, as https://app.example.com" type:"string,array"`
}

// Words say what the call is aimed at.
func (a *registerArgs) Words() string { return a.Name }

// registered is what the call came to.
type registered struct {
	OK         bool            `json:"ok"`
	Registered string          `json:"registered"`
	Scope      json.RawMessage `json:"scope"`
	Origins    []string        `json:"origins"` // null: anywhere
	Names      []string        `json:"names"`
}

func registerSecret(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "register_secret", Title: "Register a secret",
		Does: "Registers a sensitive value under a name for this session. fill and press take <NAME> in its place, and every result shows <NAME> instead of the value. " +
			"Better leave value out: the person then types it, and you never see it.",
		Needs: tool.Secrets, Effect: tool.Sets, Limit: tool.Unlimited, Keeps: []string{"name", "scope", "session"},
	}, func(ctx context.Context, a registerArgs) (tool.Result, error) {
		if err := registry.CheckName(a.Name); err != nil {
			return tool.Result{}, err
		}
		origins, scoped, err := scopeOf(a.Scope)
		if err != nil {
			return tool.Result{}, err
		}
		if d.Vault != nil && d.Vault.Keeps(a.Name) {
			return tool.Result{}, &keptError{a.Name}
		}
		who := ""
		if c, ok := client.From(ctx); ok {
			who = c.ID
		}
		e := registry.Entry{Alias: a.Name, Session: a.Session, Client: who, Origins: origins, Scoped: scoped, Source: registry.Agent, Policy: registry.NeverAsk}
		if a.Value == "" {
			if e.Secret, err = d.askFor(ctx, a, origins); err != nil {
				return tool.Result{}, err
			}
			e.Source = registry.Person
		} else {
			e.Secret = vault.NewSecret(a.Name, a.Value)
		}
		if err := d.Registry.Register(e); err != nil {
			return tool.Result{}, err
		}
		d.Warn()
		r := registered{OK: true, Registered: a.Name, Scope: scopeEcho(a.Scope), Names: d.Registry.Names(a.Session)}
		if scoped {
			r.Origins = origin.Strings(origins)
		}
		return tool.Result{Value: r}, nil
	})
}

// scopeOf reads the scope: an origin, a list of origins, or nothing.
func scopeOf(raw json.RawMessage) (list []origin.Origin, scoped bool, err error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil, false, nil
	}
	var entries []string
	var one string
	if json.Unmarshal(raw, &one) == nil {
		entries = []string{one}
		// Clients that know only strings send a list as one.
		if strings.HasPrefix(strings.TrimSpace(one), "[") {
			_ = json.Unmarshal([]byte(one), &entries)
		}
	} else if json.Unmarshal(raw, &entries) != nil {
		return nil, false, badScope("scope must be an origin or a list of origins")
	}
	if len(entries) == 0 {
		return nil, false, badScope("scope is an empty list, which would match nothing: leave it out for any site, or name the origins")
	}
	if list, err = origin.ParseAll(entries); err != nil {
		return nil, false, badScope("scope: " + err.Error())
	}
	return list, true, nil
}

func badScope(words string) error {
	return &tool.ArgumentError{Tool: "register_secret", Problems: []string{words}, Valid: []string{"name (required)", "value", "scope", "session"}}
}

func scopeEcho(raw json.RawMessage) json.RawMessage {
	if len(bytes.TrimSpace(raw)) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

// keptError means that a name is taken by what the person keeps.
type keptError struct{ name string }

func (e *keptError) Error() string {
	return "the person keeps a secret of the name " + e.name + ", which you may use as it is: <" + e.name + ">"
}

// Advice says what to do.
func (e *keptError) Advice() (hint, source string) {
	return "Use it, or register yours under another name.", "server"
}

// declinedError means that the person did not want to give the secret.
type declinedError struct{ note string }

func (e *declinedError) Error() string {
	if e.note != "" {
		return "the person did not give the secret: " + e.note
	}
	return "the person did not give the secret"
}

// Advice says what to do.
func (e *declinedError) Advice() (hint, source string) {
	return "Do not ask for the same again; go on without it, or ask with await_human what they want instead.", "server"
}

// askFor has the person type the secret.
func (d Deps) askFor(ctx context.Context, a registerArgs, origins []origin.Origin) (vault.Secret, error) {
	where := assets.Say("secret.ask.new.anywhere")
	if len(origins) > 0 {
		where = assets.Say("secret.ask.new.scope", strings.Join(origin.Strings(origins), ", "))
	}
	c, _ := client.From(ctx)
	answer, err := d.Ask.Ask(ctx, question.Question{
		Kind: question.Input, Ask: assets.Say("secret.ask.new", a.Name) + " " + where, Scope: "secret:" + a.Name, Session: a.Session, Tool: "register_secret", Client: c, Private: true,
	})
	switch {
	case err != nil:
		return vault.Secret{}, err
	case answer.Declined:
		return vault.Secret{}, &declinedError{answer.Note}
	case strings.TrimSpace(answer.Text) == "":
		return vault.Secret{}, errors.New("the person answered with nothing")
	}
	return vault.NewSecret(a.Name, answer.Text), nil
}
