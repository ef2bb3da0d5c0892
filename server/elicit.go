package server

import (
	"slices"

	"chaperone/server/client"
	"chaperone/server/egress"
	"chaperone/server/question"

	"github.com/mark3labs/mcp-go/mcp"
)

// elicitation writes a question as a form with one field.
func elicitation(a *egress.Ask) mcp.ElicitationParams {
	field, name := map[string]any{"type": "boolean", "title": "Yes"}, "yes"
	switch a.Kind {
	case question.Choose:
		field, name = map[string]any{"type": "string", "title": "Choice", "enum": a.Choices}, "choice"
	case question.Input:
		field, name = map[string]any{"type": "string", "title": "Answer"}, "text"
	case question.Acknowledge:
		field, name = map[string]any{"type": "boolean", "title": "Done"}, "done"
	}
	return mcp.ElicitationParams{
		Message:         a.Message,
		RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{name: field}, "required": []string{name}},
	}
}

// answerOf reads what the client's user said. Anything but a clear yes is a no.
func answerOf(a *egress.Ask, result *mcp.ElicitationResult) question.Answer {
	if result.Action != mcp.ElicitationResponseActionAccept {
		return question.Answer{Declined: true}
	}
	content, _ := result.Content.(map[string]any)
	switch a.Kind {
	case question.Choose:
		text, _ := content["choice"].(string)
		if i := slices.Index(a.Choices, text); i >= 0 {
			return question.Answer{Choice: i}
		}
		return question.Answer{Declined: true}
	case question.Input:
		text, ok := content["text"].(string)
		return question.Answer{Text: text, Declined: !ok}
	case question.Acknowledge:
		if done, said := content["done"].(bool); said && !done {
			return question.Answer{Declined: true}
		}
		return question.Answer{}
	default:
		yes, _ := content["yes"].(bool)
		return question.Answer{Yes: yes}
	}
}

// askedOf is the question that a waiting call has put to its client.
func (s *Server) askedOf(who *client.Client, id string) *egress.Ask {
	w := s.waitOf(who, id)
	if w == nil {
		return &egress.Ask{}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return s.egress.Question(id, w.asked)
}
