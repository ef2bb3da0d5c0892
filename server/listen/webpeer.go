package listen

import (
	"context"
	"net"
	"sync"

	"chaperone/server/client"
)

// peer is the program at the other end of a TCP connection. It is looked for when it is first asked for, which is after the
// guard has let the request in.
type peer struct {
	find func() client.Client
}

// client returns what is known of the program; nothing for no peer.
func (p *peer) client() client.Client {
	if p == nil {
		return client.Client{}
	}
	return p.find()
}

type peerKey struct{}

func withPeer(ctx context.Context, c net.Conn) context.Context {
	local, ok1 := c.LocalAddr().(*net.TCPAddr)
	remote, ok2 := c.RemoteAddr().(*net.TCPAddr)
	if !ok1 || !ok2 {
		return ctx
	}
	return context.WithValue(ctx, peerKey{}, &peer{find: sync.OnceValue(func() client.Client {
		if pid := pidOf(remote.AddrPort(), local.AddrPort()); pid != 0 {
			return clientOf(ancestry(pid, lookAt))
		}
		return client.Client{}
	})})
}

func peerFrom(ctx context.Context) *peer {
	p, _ := ctx.Value(peerKey{}).(*peer)
	return p
}
