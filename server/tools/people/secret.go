package people

import (
	"errors"
	"fmt"

	"chaperone/server/question"
	"chaperone/server/tool"
	"chaperone/vault"
	"chaperone/vault/origin"
	"chaperone/vault/registry"
)

// mostAnswers bounds the search for a free name.
const mostAnswers = 2 * registry.MostPerSession

// secretAnswer registers what the person typed as a secret, for the site of the page that is shown, and answers with its name.
func (d Deps) secretAnswer(session string, q question.Question, a question.Answer) (tool.Result, error) {
	if d.Registry == nil || !d.SecretsOn() {
		return tool.Result{}, errors.New("the person answered with a secret, and the capability secrets is switched off: the answer was not kept; they can switch it on in Chaperone under Capabilities")
	}
	e := registry.Entry{Session: session, Policy: registry.NeverAsk, Source: registry.Person}
	if q.Client != nil {
		e.Client = q.Client.ID
	}
	if site, ok := origin.OfURL(q.Site); ok {
		e.Origins, e.Scoped = []origin.Origin{site}, true
	}
	for n := 1; n <= mostAnswers; n++ {
		e.Alias = fmt.Sprintf("ANSWER_%d", n)
		if _, taken := d.Registry.Find(session, e.Alias); taken {
			continue
		}
		e.Secret = vault.NewSecret(e.Alias, a.Text)
		if err := d.Registry.Register(e); err != nil {
			return tool.Result{}, err
		}
		r := awaitedOf(q.Kind, question.Answer{Text: e.Secret.Mask(), Note: a.Note})
		r.Hint = "The person gave a secret. Type it with fill or press, where this stands for it."
		if e.Scoped {
			r.Hint += " It may be typed on " + string(e.Origins[0]) + " only."
		}
		return tool.Result{Value: r}, nil
	}
	return tool.Result{}, errors.New("this session has too many secrets that the person gave; open another session")
}
