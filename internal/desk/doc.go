// Package desk is what the window sees of the running program: it turns the state of the server and of the browsers into the
// values of ui/model, and the person's answers back into calls. It decides nothing; it is the only package that knows both sides.
package desk
