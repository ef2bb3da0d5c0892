package tools_test

import (
	"strings"
	"testing"

	"chaperone/server/question"
	"chaperone/vault"
	"chaperone/vault/keeper"
	"chaperone/vault/otp"
	"chaperone/vault/store"
)

const withCredentials = withSecrets + ",credentials"

func TestSignInFromTheVault(t *testing.T) {
	site := newVaultSite(t)
	r := newRig(t, "BROWX_CAPABILITIES", withCredentials)
	if _, err := r.kept.AddSignIn(t.Context(), keeper.Draft{Account: "acme-corp", User: "alice@acme.test", Sites: []string{site.URL}, Policy: store.NeverAsk}, vault.NewSecret("", "vault-hunter2")); err != nil {
		t.Fatal(err)
	}
	got := r.do("get_credential", args{"account": "acme-corp"})
	if got.at("username") != "alice@acme.test" || got.at("aliasName") != "PASSWORD_ACME_CORP" || got.at("origins", 0) != site.URL || got.at("provider") != "keyring" || strings.Contains(got.text, "hunter2") {
		t.Errorf("it says %s", got.text)
	}
	r.do("navigate", args{"url": site.URL})
	r.do("fill_form", args{"fields": []args{{"selector": "[name=u]", "value": "alice@acme.test"}, {"selector": "[name=p]", "value": "<PASSWORD_ACME_CORP>"}}})
	clicked := r.do("click", args{"selector": "button"})
	if sent := site.sent(); len(sent) != 1 || sent[0] != "vault-hunter2" || strings.Contains(clicked.text, "hunter2") {
		t.Errorf("the server received %q; click says %s", sent, clicked.text)
	}
	for name, c := range map[string]struct {
		account string
		words   []string
	}{
		"unknown": {"nobody", []string{"nobody", "provider"}}, "an option": {"--help", []string{"bad-account"}}, "empty": {"", []string{"bad-account"}}, "a prototype": {"__proto__", []string{"bad-account"}},
	} {
		for _, tool := range []string{"get_credential", "get_totp"} {
			got := r.try(tool, args{"account": c.account})
			if !got.failed || got.at("ok") != false || got.at("hint") == nil || got.at("provider") != "keyring" {
				t.Errorf("%s, %s: %s", name, tool, got.text)
			}
			for _, w := range c.words {
				if !strings.Contains(got.text, w) {
					t.Errorf("%s, %s: %s", name, tool, got.text)
				}
			}
		}
	}
}

func TestCodesFromTheVault(t *testing.T) {
	r := newRig(t, "BROWX_CAPABILITIES", withCredentials)
	in, err := otp.Parse("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
	if err != nil {
		t.Fatal(err)
	}
	for account, p := range map[string]store.Policy{"free": store.NeverAsk, "asked": store.AskEachTime} {
		if _, err := r.kept.AddCodes(t.Context(), in.Keys, keeper.Draft{Account: account, Policy: p}); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.do("get_totp", args{"account": "free"}); len(got.at("code").(string)) != 6 || got.at("provider") != "keyring" {
		t.Errorf("it says %s", got.text)
	}
	if got := r.try("get_totp", args{"account": "asked"}); !got.failed || !strings.Contains(got.text, "Nobody can answer") {
		t.Errorf("nobody is there: %s", got.text)
	}
	yes := true
	asked := r.answers(func(question.Question) question.Answer { return question.Answer{Yes: yes} })
	if got := r.do("get_totp", args{"account": "asked"}); len(got.at("code").(string)) != 6 {
		t.Errorf("it says %s", got.text)
	}
	if list := asked(); len(list) != 1 || !strings.Contains(list[0].Ask, "asked") {
		t.Errorf("asked %+v", list)
	}
	yes = false
	if got := r.try("get_totp", args{"account": "asked"}); !got.failed || !strings.Contains(got.text, "said no") {
		t.Errorf("after a no: %s", got.text)
	}
	for _, e := range r.server.Journal().Entries(0) {
		if e.Tool == "get_totp" && e.Outcome == "ok" && !strings.Contains(e.Result, "not kept") {
			t.Errorf("the journal keeps a code: %s", e.Result)
		}
	}
}

func TestCredentialsNeedSecretsToo(t *testing.T) {
	site := newVaultSite(t)
	r := newRig(t, "BROWX_CAPABILITIES", "read,navigation,action,human,credentials")
	if _, err := r.kept.AddSignIn(t.Context(), keeper.Draft{Account: "acme", User: "alice", Sites: []string{site.URL}}, vault.NewSecret("", "vault-hunter2")); err != nil {
		t.Fatal(err)
	}
	if got := r.try("get_credential", args{"account": "acme"}); !got.failed || !strings.Contains(got.text, "secrets") || strings.Contains(got.text, "hunter2") {
		t.Errorf("it says %s", got.text)
	}
	off := newRig(t)
	for _, tool := range []string{"get_credential", "get_totp"} {
		if got := off.try(tool, args{"account": "acme"}); got.at("requiredCapability") != "credentials" {
			t.Errorf("%s: %s", tool, got.text)
		}
	}
}

func TestTwoAccountsOneAlias(t *testing.T) {
	r := newRig(t, "BROWX_CAPABILITIES", withCredentials, "BROWX_CREDENTIALS_PROVIDER", "none")
	if got := r.try("get_credential", args{"account": "acme"}); !got.failed || got.at("provider") != "none" {
		t.Errorf("none: %s", got.text)
	}
}
