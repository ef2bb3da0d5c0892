package model

import (
	"time"

	"chaperone/assets"
)

// LeaseRow is a leave as it is shown.
type LeaseRow struct {
	ID    string
	What  string // for whom and what
	Until string
}

// LeaseRows turns leaves into lines.
func LeaseRows(leases []Lease, now time.Time) []LeaseRow {
	var out []LeaseRow
	for _, l := range leases {
		r := LeaseRow{ID: l.ID, What: assets.Say("ui.lease.what", Who(l.Agent), Line(l.What, 160))}
		if l.Origin != "" {
			r.What = assets.Say("ui.lease.where", r.What, Host(l.Origin))
		}
		switch {
		case l.Session:
			r.Until = assets.Say("ui.lease.session")
		case l.Expires.IsZero():
			r.Until = assets.Say("ui.lease.always", Ago(l.Granted, now))
		default:
			r.Until = Left(l.Expires, now)
		}
		if l.Uses > 0 {
			r.Until = assets.Say("ui.lease.uses", r.Until, l.Uses)
		}
		out = append(out, r)
	}
	return out
}
