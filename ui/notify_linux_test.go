package ui

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/godbus/dbus/v5"

	"chaperone/ui/model"
	"chaperone/ui/uitest"
)

// busWith starts a bus of the test's own on which somebody has a name.
func busWith(t *testing.T, names ...string) {
	t.Helper()
	path, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("dbus-daemon is not here")
	}
	cmd := exec.Command(path, "--session", "--nofork", "--print-address=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	for _, name := range names {
		if _, err := conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil {
			t.Fatal(err)
		}
	}
}

// The person is told of a new question once, where to answer it, and the window stays where it is.
func TestANewQuestionIsAnnouncedOnceAndStealsNothing(t *testing.T) {
	busWith(t, "org.freedesktop.Notifications")
	fake := uitest.New()
	b := newBenchOnBus(t, fake)
	b.ui.hide()
	fake.Do(model.Questions, func() { fake.Asked = append(fake.Asked, question("q1", b.now)) })
	note := b.note()
	if !strings.Contains(note.Title, "Codex") || !strings.Contains(note.Content, "Wants to delete q1") || !strings.Contains(note.Content, "Chaperone") {
		t.Errorf("the notification says %q, %q", note.Title, note.Content)
	}
	fake.Do(model.Questions, func() { fake.Asked[0].Repeats = 5; fake.Asked = append(fake.Asked, question("q2", b.now)) })
	if second := b.note(); !strings.Contains(second.Content, "Wants to delete q2") {
		t.Errorf("a question was announced again: %q", second.Content)
	}
	b.queue.run()
	if b.ui.visible.Load() {
		t.Error("a question brought the window up")
	}
}

// Off means off: what is asked meanwhile is not announced later either.
func TestNoNotificationWhereThePersonWantsNone(t *testing.T) {
	busWith(t, "org.freedesktop.Notifications")
	fake := uitest.New()
	fake.Want.Notifications = false
	b := newBenchOnBus(t, fake)
	b.ui.hide()
	fake.Do(model.Questions, func() { fake.Asked = append(fake.Asked, question("q1", b.now)) })
	b.until("a badge", func() bool { return b.ui.shell.items[b.ui.pages[0]].BadgeLabel() == "1" })
	fake.Do(model.Settings, func() { fake.Want.Notifications = true })
	fake.Do(model.Questions, func() { fake.Asked = append(fake.Asked, question("q2", b.now)) })
	if note := b.note(); !strings.Contains(note.Content, "Wants to delete q2") {
		t.Errorf("the first notification is %q", note.Content)
	}
}

func TestClosingGoesToTheTray(t *testing.T) {
	b := newBench(t, uitest.New())
	b.ui.tray.host.is.Store(true)
	b.ui.closePressed()
	if b.ui.visible.Load() || b.ui.bridge.closed.Load() {
		t.Error("the window did not go to the tray")
	}
}

func (b *bench) note() *fyne.Notification {
	b.t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		b.queue.run()
		select {
		case n := <-b.notes:
			return n
		case <-b.queue.more:
		case <-deadline:
			b.t.Fatal("no notification came")
		}
	}
}

// Without anybody to show notifications the question is on its card, and nothing waits or complains.
func TestApprovalNeedsNoNotification(t *testing.T) {
	busWith(t)
	fake := uitest.New()
	b := newBenchOnBus(t, fake)
	fake.Do(model.Questions, func() { fake.Asked = append(fake.Asked, question("q1", b.now)) })
	b.until("a card", b.sees("Wants to delete q1"))
	if hasNotifications() {
		t.Error("notifications are sent to nobody")
	}
}

func TestATrayThatComesAndGoesIsSeen(t *testing.T) {
	busWith(t)
	b := newBenchOnBus(t, uitest.New())
	if b.ui.tray.hosted() {
		t.Fatal("a tray is seen where there is none")
	}
	changes := make(chan bool, 8)
	h := watchTrayHost(t.Context(), func(v bool) { changes <- v })
	conn, err := joinBus()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.RequestName(watcherName, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	if !<-changes || !h.there() {
		t.Error("a tray that came was not seen")
	}
	if _, err := conn.ReleaseName(watcherName); err != nil {
		t.Fatal(err)
	}
	if <-changes || h.there() {
		t.Error("a tray that went was not seen")
	}
}
