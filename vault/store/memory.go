package store

import (
	"context"
	"sync"

	"chaperone/vault"
)

// Memory keeps values until the process ends.
type Memory struct {
	mu     sync.Mutex
	values map[string]vault.Secret
}

var _ Backend = (*Memory)(nil)

// NewMemory makes an empty one.
func NewMemory() *Memory { return &Memory{values: map[string]vault.Secret{}} }

func (m *Memory) Name() string { return "memory" }

func (m *Memory) Most() int { return MostBytes }

func (m *Memory) Set(_ context.Context, key string, value vault.Secret) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.values[key] = value
	return nil
}

func (m *Memory) Get(_ context.Context, key string) (vault.Secret, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok := m.values[key]
	if !ok {
		return vault.Secret{}, ErrAbsent
	}
	return value, nil
}

func (m *Memory) Delete(_ context.Context, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.values[key]; !ok {
		return ErrAbsent
	}
	delete(m.values, key)
	return nil
}
