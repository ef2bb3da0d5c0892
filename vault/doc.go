// Package vault holds what no agent may see: secret values, and the rules by which they may be used.
package vault
