package provider

import (
	"context"

	"chaperone/vault"
)

// oathtool computes codes from the seeds in BROWX_OATHTOOL_SEEDS. The seed goes to standard input, which is what the - stands for.
type oathtool struct {
	cli
	seeds map[string]vault.Secret
}

func (o *oathtool) code(ctx context.Context, account string) (Code, error) {
	seed, there := o.seeds[account]
	if !there {
		return Code{}, fail(NoSeed, "the person who runs Chaperone adds "+account+"=<seed> to BROWX_OATHTOOL_SEEDS and starts Chaperone anew",
			"there is no seed for the account %q in BROWX_OATHTOOL_SEEDS", account)
	}
	r, err := o.run(ctx, seed, "--totp", "--base32", "--", "-")
	if err != nil {
		return Code{}, err
	}
	if r.code != 0 {
		return Code{}, o.why(r, "", words{NoSeed, []string{"base32"}, "correct it in BROWX_OATHTOOL_SEEDS and start Chaperone anew", "oathtool does not take the seed of the account"},
			words{Crashed, []string{"read file for key", "unrecognized option", "invalid option"}, "update it to version 2.6.5 or newer, which reads the seed from standard input: " + installHints[OATHTool]["linux"], "this oathtool is too old"})
	}
	return o.oneCode(r.out)
}

func (o *oathtool) cannot() *Failure {
	return fail(Unsupported, "the person who runs Chaperone chooses keyring, 1password, bitwarden or lastpass as BROWX_CREDENTIALS_PROVIDER", "oathtool has one-time codes only, no passwords")
}

func (o *oathtool) credential(context.Context, string) (string, vault.Secret, error) {
	return "", vault.Secret{}, o.cannot()
}

func (o *oathtool) status(context.Context) Status {
	path, f := o.path()
	if f != nil {
		return Status{SignedIn: No, Failure: f}
	}
	if len(o.seeds) == 0 {
		return Status{Found: true, Path: path, SignedIn: No, Failure: fail(NoSeed, `set it, such as BROWX_OATHTOOL_SEEDS="acme=JBSWY3DPEHPK3PXP"`, "BROWX_OATHTOOL_SEEDS has no seed")}
	}
	return Status{Found: true, Path: path, SignedIn: Yes}
}
