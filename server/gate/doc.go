// Package gate decides whether a call may pass: is its capability on, is its client known, is the session its own, are agents
// paused, may it work on that site, has the person agreed to what needs agreement. It also knows every call that runs, and
// stops them when the person says so. What only a person can decide it asks through an Asker.
package gate
