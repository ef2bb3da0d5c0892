package session

import (
	"context"
	"encoding/json"
	"fmt"

	"chaperone/assets"
	"chaperone/internal/settings"
	"chaperone/server/client"
	"chaperone/server/gate"
	"chaperone/server/question"
	"chaperone/server/tool"
)

type getConfigArgs struct {
	tool.InSession
	Key string `json:"key,omitempty" jsonschema:"one setting; by default all"`
}

// configState is a setting with its value.
type configState struct {
	Value  any    `json:"value"`
	From   string `json:"from"` // default, environment, user or session
	Does   string `json:"does,omitempty"`
	Policy bool   `json:"policy,omitempty"` // only the person changes it
}

func getConfig(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "get_config", Title: "Read settings",
		Does:  "Shows the settings with their values and where they come from. With key, also what the setting does.",
		Needs: tool.Read, Effect: tool.Reads, Local: true, AnySession: true,
	}, func(_ context.Context, a getConfigArgs) (tool.Result, error) {
		found := map[string]configState{}
		for _, s := range settings.Table() {
			if s.App || a.Key != "" && s.Key != a.Key {
				continue
			}
			v, from := d.Settings.Get(a.Session, s.Key)
			state := configState{Value: v, From: string(from), Policy: s.Policy}
			if a.Key != "" {
				state.Does = s.Does
			}
			found[s.Key] = state
		}
		if a.Key != "" && len(found) == 0 {
			return tool.Result{}, unknownSetting("get_config", a.Key)
		}
		return tool.Result{Value: map[string]any{"ok": true, "settings": found}}, nil
	})
}

func unknownSetting(name, key string) error {
	return &tool.ArgumentError{Tool: name, Problems: []string{fmt.Sprintf("there is no setting %q%s", key, tool.DidYouMean(key, settings.Keys()))}, Valid: []string{"key", "session"}}
}

type setConfigArgs struct {
	tool.InSession
	Key   string          `json:"key" jsonschema:"setting, as get_config has it"`
	Value json.RawMessage `json:"value" jsonschema:"its value" type:"string,number,boolean,array"`
}

// Words say what the call is aimed at.
func (a *setConfigArgs) Words() string { return a.Key }

func setConfig(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "set_config", Title: "Change a setting",
		Does:  "Changes a setting for this session. What agents may do (capabilities, sites, confirmations, web security) is only proposed: the person decides.",
		Needs: tool.Read, Effect: tool.Sets, Local: true, Limit: tool.Unlimited,
	}, func(ctx context.Context, a setConfigArgs) (tool.Result, error) {
		s, known := settings.Find(a.Key)
		if !known || s.App {
			return tool.Result{}, unknownSetting("set_config", a.Key)
		}
		var value any
		if err := json.Unmarshal(a.Value, &value); err != nil {
			return tool.Result{}, err
		}
		checked, err := s.Check(value)
		if err != nil {
			return tool.Result{}, &tool.ArgumentError{Tool: "set_config", Problems: []string{a.Key + ": " + err.Error()}, Valid: []string{"key (required)", "value (required)", "session"}}
		}
		if s.Session {
			if err := d.Settings.SetSession(a.Session, a.Key, checked); err != nil {
				return tool.Result{}, err
			}
		} else if err := propose(ctx, d, a.Session, s, checked); err != nil {
			return tool.Result{}, err
		}
		v, from := d.Settings.Get(a.Session, a.Key)
		return tool.Result{Value: map[string]any{"ok": true, "key": a.Key, "value": v, "from": string(from)}}, nil
	})
}

// propose asks the person for a change that would hold for everybody, and makes it on a yes.
func propose(ctx context.Context, d Deps, session string, s settings.Setting, value any) error {
	if env := d.Settings.Locked(s.Key); env != "" && s.Policy {
		return &gate.Refusal{Code: gate.Denied, Why: s.Key + " is locked by the environment variable " + env, Hint: "Nobody will be asked. Only who starts Chaperone can change it there."}
	}
	c, _ := client.From(ctx)
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	answer, err := d.Ask.Ask(ctx, question.Question{
		Kind: question.Policy, Ask: assets.Say("server.ask.setting", s.Key, string(text), s.Does), Scope: "setting:" + s.Key, Session: session,
		Tool: "set_config", Client: c, Warning: warning(s, value),
	})
	if err != nil {
		return err
	}
	if !answer.Yes {
		return &gate.Refusal{Code: gate.Denied, Why: "the person did not want " + s.Key + " changed", Hint: "Go on with the settings as they are."}
	}
	return d.Settings.Set(s.Key, value)
}

// warning says what risky capabilities among a proposed value would mean.
func warning(s settings.Setting, value any) string {
	names, _ := value.([]string)
	words := ""
	for _, n := range names {
		if info, known := tool.CapabilityOf(tool.Capability(n)); s.Key == "capabilities" && known && info.Risky() {
			words += info.Title + ": " + info.Risk + " "
		}
	}
	return words
}

type resetConfigArgs struct {
	tool.InSession
	Key string `json:"key,omitempty" jsonschema:"one setting; by default all that were set for this session"`
}

func resetConfig(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "reset_config", Title: "Reset settings",
		Does:  "Takes back what set_config changed for this session.",
		Needs: tool.Read, Effect: tool.Sets, Local: true,
	}, func(_ context.Context, a resetConfigArgs) (tool.Result, error) {
		if a.Key == "" {
			d.Settings.ResetSession(a.Session)
			return tool.Result{Value: map[string]any{"ok": true}}, nil
		}
		s, known := settings.Find(a.Key)
		if !known || s.App {
			return tool.Result{}, unknownSetting("reset_config", a.Key)
		}
		d.Settings.ResetSession(a.Session, a.Key)
		v, from := d.Settings.Get(a.Session, a.Key)
		return tool.Result{Value: map[string]any{"ok": true, "key": a.Key, "value": v, "from": string(from)}}, nil
	})
}
