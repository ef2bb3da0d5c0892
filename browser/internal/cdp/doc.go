// Package cdp multiplexes one DevTools connection into flat sessions.
//
// chromedp supplies the transport (its pipe or websocket connection) and cdproto the typed commands: a Session here is a
// cdp.Session, so cdp.Call works on it. What chromedp's own targets cannot do, this package does: send without
// waiting (a target paused by waitForDebuggerOnStart answers nothing until it is resumed), and see all events of a
// connection in the order in which the browser sent them.
package cdp
