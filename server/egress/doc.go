// Package egress is the one door through which anything leaves for a client: results, errors, progress, log notices and
// questions. What passes is stripped of what captured URLs carry, then masked, then cut; in this order, so that a cut can
// neither keep the head of a secret nor split a mask. Pictures pass as they are.
package egress
