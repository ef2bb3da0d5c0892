package listen

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
)

// envelope is what of a message we look at ourselves; the rest is the library's.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func (e envelope) isNotification() bool { return len(e.ID) == 0 || string(e.ID) == "null" }

func (e envelope) isAnswer() bool {
	return e.Method == "" && !e.isNotification() && (e.Result != nil || e.Error != nil)
}

// open reads the envelope of a line. What is no message is refused in the words of JSON-RPC.
func open(line []byte) (e envelope, refusal *mcp.JSONRPCError) {
	refuse := func(code int, words string) (envelope, *mcp.JSONRPCError) {
		r := mcp.NewJSONRPCError(idOf(e.ID), code, words, nil)
		return e, &r
	}
	if !json.Valid(line) {
		return refuse(mcp.PARSE_ERROR, "this line is not JSON; send one JSON-RPC message per line")
	}
	if line[0] == '[' {
		return refuse(mcp.INVALID_REQUEST, "batches are not taken; send one JSON-RPC message per line")
	}
	if err := json.Unmarshal(line, &e); err != nil || line[0] != '{' {
		return refuse(mcp.INVALID_REQUEST, "this line is not a JSON-RPC message")
	}
	if len(e.ID) > 0 && (e.ID[0] == '{' || e.ID[0] == '[' || e.ID[0] == 't' || e.ID[0] == 'f') {
		e.ID = nil
		return refuse(mcp.INVALID_REQUEST, "the id of a request is a string or a number")
	}
	if string(e.ID) == "null" && e.Method != "" {
		return refuse(mcp.INVALID_REQUEST, "the id of a request is a string or a number; a notification has none")
	}
	if e.Method == "" && !e.isAnswer() {
		return refuse(mcp.INVALID_REQUEST, "a JSON-RPC request names its method")
	}
	return e, nil
}

// idOf keeps an id as the client wrote it: large numbers would not survive the way through a float.
func idOf(raw json.RawMessage) mcp.RequestId {
	if len(raw) == 0 || string(raw) == "null" {
		return mcp.NewRequestId(nil)
	}
	return mcp.NewRequestId(raw)
}

// idInHead looks for the id in the beginning of a message, where most clients write it.
func idInHead(head []byte) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(head))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return nil
		}
		if key == "id" {
			return value
		}
	}
	return nil
}

// withID puts the id back as the client wrote it.
func withID(reply mcp.JSONRPCMessage, raw json.RawMessage) mcp.JSONRPCMessage {
	switch r := reply.(type) {
	case mcp.JSONRPCResponse:
		r.ID = idOf(raw)
		return r
	case mcp.JSONRPCError:
		r.ID = idOf(raw)
		return r
	default:
		return reply
	}
}

// encode writes a message as one line. Angle brackets stay as they are: pages are full of them.
func encode(message any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(message); err != nil {
		return nil, fmt.Errorf("a message cannot be written as JSON: %w", err)
	}
	return b.Bytes(), nil
}
