package model

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chaperone/assets"
)

// ItemRow is an item as it is shown.
type ItemRow struct {
	ID     string
	Name   string // alias or account
	About  string // user name, issuer, alias; "" where there is nothing to add
	Sites  string
	Used   string
	Policy string
}

// mostSites is how many sites a row names.
const mostSites = 4

// ItemRowOf turns an item into what is shown of it.
func ItemRowOf(it Item, now time.Time) ItemRow {
	r := ItemRow{ID: it.ID, Name: Line(it.Account, 0), Policy: PolicyWords(it.Policy)}
	alias := "<" + Line(it.Alias, 0) + ">"
	switch it.Kind {
	case CodeItem:
		r.About = joined(Line(it.Issuer, 0), alias)
	case SignInItem:
		r.About = joined(Line(it.User, 0), alias)
	default:
		r.Name = Line(it.Alias, 0)
	}
	var sites []string
	for i, o := range it.Origins {
		if i == mostSites && len(it.Origins) > mostSites+1 {
			sites = append(sites, assets.Say("vault.sites.more", len(it.Origins)-i))
			break
		}
		sites = append(sites, Line(strings.TrimPrefix(o, "https://"), 0))
	}
	r.Sites = strings.Join(sites, ", ")
	if r.Sites == "" {
		r.Sites = assets.Say("vault.sites.none")
	}
	r.Used = assets.Say("vault.used.never")
	switch {
	case it.Used.IsZero():
	case it.UsedAt == "":
		r.Used = assets.Say("vault.used.nowhere", Who(Agent{Name: it.UsedBy}), Ago(it.Used, now))
	default:
		r.Used = assets.Say("vault.used", Host(it.UsedAt), Who(Agent{Name: it.UsedBy}), Ago(it.Used, now))
	}
	switch {
	case it.Hidden == 1:
		r.Used += " · " + assets.Say("vault.hidden.one")
	case it.Hidden > 1:
		r.Used += " · " + assets.Say("vault.hidden.many", it.Hidden)
	}
	return r
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " · ")
}

// PolicyWords is a policy in words.
func PolicyWords(p UsePolicy) string { return said("vault.policy."+string(p), string(p)) }

// SitesOf splits what the person wrote as sites: by commas, blanks or lines.
func SitesOf(written string) []string {
	return strings.FieldsFunc(written, func(r rune) bool { return r == ',' || r == ';' || r == ' ' || r == '\n' || r == '\t' })
}

// Digits sets a code in two halves, as people read it aloud.
func Digits(code string) string {
	if n := len(code); n >= 6 {
		return code[:(n+1)/2] + " " + code[(n+1)/2:]
	}
	return code
}

// Of returns the items of a kind.
func (v Vault) Of(kind ItemKind) (list []Item) {
	for _, it := range v.Items {
		if it.Kind == kind {
			list = append(list, it)
		}
	}
	return list
}

// ProviderRow is a provider as it is shown.
type ProviderRow struct {
	Name  string
	Title string
	Does  string
	State string
	Good  bool   // it can be used
	More  string // where it is, or what is wrong
	Test  bool   // there is something to test
}

// ProviderRowOf turns a provider into what is shown of it.
func ProviderRowOf(p Provider) ProviderRow {
	r := ProviderRow{Name: p.Name, Title: said("vault.provider."+p.Name, p.Name), Does: said("vault.provider."+p.Name+".does", ""), More: Paragraph(p.Problem, 600), Test: p.Name != "none"}
	switch {
	case p.Name == "none":
	case !p.Found:
		r.State = assets.Say("vault.provider.missing")
	case p.SignedIn == SignedInYes:
		r.State, r.Good = assets.Say("vault.provider.in"), true
	case p.SignedIn == SignedInNo:
		r.State = assets.Say("vault.provider.out")
	default:
		r.State = assets.Say("vault.provider.found")
	}
	if r.More == "" && p.Path != "" {
		r.More = p.Path
	}
	return r
}

// FoundLine names a seed that was found.
func FoundLine(f Found) string {
	name := joined(Line(f.Issuer, 0), Line(f.Account, 0))
	if name == "" {
		name = assets.Say("vault.codes.unnamed")
	}
	return name
}

// Sentence makes an error fit for people: it begins with a capital letter and ends with a full stop.
func Sentence(err error) string {
	text := strings.TrimSpace(fmt.Sprint(err))
	if text == "" {
		return ""
	}
	first := []rune(text)
	if up := []rune(strings.ToUpper(string(first[0]))); len(up) == 1 {
		first[0] = up[0]
	}
	text = string(first)
	if !strings.ContainsAny(text[len(text)-1:], ".!?…") {
		text += "."
	}
	return text
}
