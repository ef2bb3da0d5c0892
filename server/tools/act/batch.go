package act

import (
	"context"
	"encoding/json"
	"fmt"

	"chaperone/server/tool"
)

type batchArgs struct {
	tool.InSession
	Calls       []batchCall `json:"calls" jsonschema:"calls to make, in this order"`
	StopOnError *bool       `json:"stopOnError,omitempty" jsonschema:"stop at the first that fails, by default true"`
}

type batchCall struct {
	Tool  string          `json:"tool" jsonschema:"name of a tool"`
	Args  json.RawMessage `json:"args,omitempty" jsonschema:"its arguments" type:"object"`
	Label string          `json:"label,omitempty" jsonschema:"comes back with the result"`
}

// Words say what the call is aimed at.
func (a *batchArgs) Words() string {
	words := ""
	for i, c := range a.Calls {
		if i > 0 {
			words += ", "
		}
		words += c.Tool
	}
	return words
}

// mostCalls bounds a batch.
const mostCalls = 50

// batchResult is what one call came to.
type batchResult struct {
	Label  string          `json:"label,omitempty"`
	Tool   string          `json:"tool"`
	OK     bool            `json:"ok"`
	Result json.RawMessage `json:"result"`
}

func batch(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "batch", Title: "Several calls at once",
		Does:  "Makes several tool calls one after the other and returns all results. Each is checked and allowed as if it came alone.",
		Needs: tool.Action, Effect: tool.Changes, Limit: tool.Unlimited, Types: true, AnySession: true,
	}, func(ctx context.Context, a batchArgs) (tool.Result, error) {
		if n := len(a.Calls); n == 0 || n > mostCalls {
			return tool.Result{}, &tool.ArgumentError{Tool: "batch", Problems: []string{fmt.Sprintf("calls has %d entries; give from 1 to %d", n, mostCalls)}, Valid: []string{"calls (required)", "stopOnError", "session"}}
		}
		stop := a.StopOnError == nil || *a.StopOnError
		results := []batchResult{}
		var images []tool.Image
		failed := 0
		for _, c := range a.Calls {
			if ctx.Err() != nil {
				return tool.Result{}, context.Cause(ctx)
			}
			if c.Tool == "batch" {
				return tool.Result{}, &tool.ArgumentError{Tool: "batch", Problems: []string{"a batch cannot hold another batch"}, Valid: []string{"calls (required)", "stopOnError", "session"}}
			}
			reply := d.Call(ctx, c.Tool, inSession(c.Args, a.Session))
			one := batchResult{Label: c.Label, Tool: c.Tool, OK: !reply.Failed, Result: reply.JSON}
			if reply.JSON == nil {
				one.Result, _ = json.Marshal(reply.Text)
			}
			results = append(results, one)
			images = append(images, reply.Images...)
			if reply.Failed {
				failed++
				if stop {
					break
				}
			}
		}
		value := map[string]any{"ok": failed == 0, "results": results, "failed": failed, "left": len(a.Calls) - len(results)}
		if failed > 0 {
			value["error"] = fmt.Sprintf("%d of %d calls failed", failed, len(results))
			value["hint"] = "The results say which, and why. Those before them were done."
		}
		// Each call has its own line in the journal, with what may be kept of its arguments.
		return tool.Result{Value: value, Images: images, Failed: failed > 0, Private: true}, nil
	})
}

// inSession has a call work on the session of its batch where it names none.
func inSession(args json.RawMessage, session string) json.RawMessage {
	object := map[string]json.RawMessage{}
	if len(args) > 0 && json.Unmarshal(args, &object) != nil {
		return args
	}
	if raw, has := object["session"]; has && string(raw) != "null" {
		return args
	}
	object["session"], _ = json.Marshal(session)
	out, err := json.Marshal(object)
	if err != nil {
		return args
	}
	return out
}
