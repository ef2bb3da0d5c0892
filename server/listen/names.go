package listen

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"
)

// nameIn finds the client's name in the message that is the first to tell it: the handshake of the older protocols, or the
// metadata that every request of the newer one carries.
func nameIn(message []byte) (name, version string) {
	if !bytes.Contains(message, []byte("clientInfo")) {
		return "", ""
	}
	var m struct {
		Params struct {
			ClientInfo struct{ Name, Version string } `json:"clientInfo"`
			Meta       map[string]json.RawMessage     `json:"_meta"`
		} `json:"params"`
	}
	if json.Unmarshal(message, &m) != nil {
		return "", ""
	}
	info := m.Params.ClientInfo
	if raw := m.Params.Meta[mcp.MetaKeyClientInfo]; raw != nil && json.Unmarshal(raw, &info) != nil {
		return "", ""
	}
	return info.Name, info.Version
}

func megabytes(n int) string { return strconv.Itoa(n>>20) + " MB" }
