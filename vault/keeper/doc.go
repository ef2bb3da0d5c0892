// Package keeper is what the person keeps: secrets, one-time codes and sign-ins, in the place that they chose for the values. It
// opens that place when somebody first needs it, and never reads a value to list it.
package keeper
