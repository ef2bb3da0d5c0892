package model

import "time"

// Source says where a value comes from.
type Source string

// The sources of a capability's state or a setting's value.
const (
	FromDefault     Source = "default"
	FromPerson      Source = "person"
	FromEnvironment Source = "environment"
	FromFile        Source = "file"
)

// Capability is one thing agents may or may not do.
type Capability struct {
	Name     string // "network-body"
	On       bool
	Risky    bool
	Source   Source
	LockedBy string    // the environment variable that set it; "" where the person may switch it
	Since    time.Time // when it was switched on; zero means since the app started
	Tools    int       // how many tools need it; none: it makes no difference in this version
	Risk     string    // one sentence, for a risky one
}
