package demo

import (
	"context"
	"fmt"
	"time"

	"chaperone/vault"
	"chaperone/vault/keeper"
	"chaperone/vault/otp"
	"chaperone/vault/store"
)

// What the demo's person keeps: made up, and good for the shop only.
const (
	account  = "fernhill"
	user     = "robin@example.com"
	password = "Moss-and-larch-9261"
	seed     = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
)

// Keep puts a sign-in and a one-time code for the demo's shop into the vault of this process, which must be one that forgets.
func Keep(ctx context.Context, k *keeper.Keeper, site string) error {
	if place := k.State().Place; place != keeper.Memory {
		return fmt.Errorf("the demo's sign-in is not put into the %s: start it with BROWX_VAULT=memory", place)
	}
	d := keeper.Draft{Account: account, User: user, Sites: []string{site}, Policy: store.NeverAsk}
	if _, err := k.AddSignIn(ctx, d, vault.NewSecret("", password)); err != nil {
		return err
	}
	_, err := k.AddCodes(ctx, []otp.Key{codes()}, d)
	return err
}

func codes() otp.Key { return otp.NewKey(account, vault.NewSecret("SEED", seed)) }

// goodCode reports whether a code is the one of now, or of a moment ago.
func goodCode(code string) bool {
	for _, at := range []time.Time{time.Now(), time.Now().Add(-30 * time.Second)} {
		if c, err := codes().At(at); err == nil && c.Text == code {
			return true
		}
	}
	return false
}
