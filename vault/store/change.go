package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chaperone/vault"
)

// change runs fn on the index as it is on the disk, after mending it, while nobody else changes it. fn saves what it changes.
func (s *Store) change(ctx context.Context, fn func(*index) error) error {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if s.lock != nil {
		// Another process holds it for two or three calls into its backend at most.
		waiting, cancel := context.WithTimeout(ctx, 4*s.limit)
		defer cancel()
		if ok, err := s.lock.TryLockContext(waiting, 20*time.Millisecond); !ok {
			return fmt.Errorf("another Chaperone is changing the list of secrets: try again (%w)", err)
		}
		defer func() { _ = s.lock.Unlock() }()
	}
	ix, err := s.index.load()
	if errors.Is(err, ErrIndex) {
		to, moved := s.index.setAside()
		if moved != nil {
			return fmt.Errorf("%w, nor set aside: %w", err, moved)
		}
		s.note("%v. It lies in %s now, and the list starts empty; the values are still in the %s: mend that file and put it back, or enter them again.", err, to, s.Backend())
		ix, err = s.index.load()
	}
	if err != nil {
		return err
	}
	s.mend(ctx, &ix)
	return fn(&ix)
}

// put writes a value under a new key and makes the item point to it:
// was is the key of the value that it replaces, if any.
//
//  1. the index notes the key and the item as it is to be;
//  2. the backend keeps the value;
//  3. the index has the item, and notes that the entry before it is to go;
//  4. that entry goes, and the note.
//
// A failure up to 3 is taken back. Where that fails too, or the process ends, mend finds the note.
func (s *Store) put(ctx context.Context, ix *index, e entry, was string, value vault.Secret) error {
	before := ix.clone()
	ix.Unfinished = append(ix.Unfinished, change{Key: e.Key, Keep: &e, Was: was, Since: s.now().UTC()})
	if err := s.index.save(*ix); err != nil {
		return fmt.Errorf("%s was not kept: %w", e.Alias, err)
	}
	if err := s.backend.set(ctx, e.Key, value); err != nil {
		return s.takeBack(ctx, before, e, err)
	}
	old := ix.take(e)
	if err := s.index.save(*ix); err != nil {
		return s.takeBack(ctx, before, e, err)
	}
	if old == "" {
		return nil
	}
	// The new value stands; the old entry goes now, or when the backend answers.
	if err := s.backend.delete(ctx, old); err == nil || errors.Is(err, ErrAbsent) {
		ix.finish(old)
		_ = s.index.save(*ix)
	}
	return nil
}

// takeBack removes what put may have written, and returns why it failed.
func (s *Store) takeBack(ctx context.Context, before index, e entry, why error) error {
	why = fmt.Errorf("%s was not kept: %w", e.Alias, why)
	if ctx.Err() != nil {
		// Whoever asked has left. The backend may still be at it: what it writes is to go.
		before.Unfinished = append(before.Unfinished, change{Key: e.Key, Since: s.now().UTC()})
		_ = s.index.save(before)
		return why
	}
	if !refused(why) {
		if err := s.backend.delete(ctx, e.Key); err != nil && !errors.Is(err, ErrAbsent) {
			return fmt.Errorf("%w; %w", why, ErrUnsettled)
		}
	}
	// Where this fails the note stays, its entry is absent, and mend takes it out.
	_ = s.index.save(before)
	return why
}

// refused reports whether nothing can have been written, so that there is nothing to take back: asking again would only open the
// keyring's question anew.
func refused(err error) bool {
	return errors.Is(err, ErrNoKeyring) || errors.Is(err, ErrLocked) || errors.Is(err, ErrDismissed) || errors.Is(err, ErrTooLong)
}

// patience is how long a note stays whose entry is absent: another process may have a call under way that still writes it.
const patience = 10 * time.Minute

// mend settles what was begun and not ended. An entry that is there becomes its item, so that nothing that a person typed is lost;
// one that no item wants goes. While the backend does not answer all stays as it is. Entries are deleted only after the index that
// does not name them is on the disk.
func (s *Store) mend(ctx context.Context, ix *index) {
	if len(ix.Unfinished) == 0 {
		return
	}
	before := ix.clone()
	adopted, err := s.adopt(ctx, ix)
	if err == nil && len(adopted) > 0 {
		err = s.index.save(*ix)
	}
	if err != nil {
		*ix = before
		return
	}
	for _, alias := range adopted {
		s.note("%s was being kept when it was interrupted: it is there, and is listed now.", alias)
	}
	settled := false
	for _, c := range slices.Clone(ix.Unfinished) {
		if c.Keep != nil && ix.wants(c) && s.now().Sub(c.Since) < patience {
			continue
		}
		if !ix.points(c.Key) {
			if err := s.backend.delete(ctx, c.Key); err != nil && !errors.Is(err, ErrAbsent) {
				break
			}
		}
		ix.finish(c.Key)
		settled = true
	}
	if settled {
		// A save that fails is no loss: the notes are still there.
		_ = s.index.save(*ix)
	}
}

// adopt makes items of the entries that are there and wanted, and returns their aliases.
func (s *Store) adopt(ctx context.Context, ix *index) ([]string, error) {
	var adopted []string
	for _, c := range slices.Clone(ix.Unfinished) {
		if c.Keep == nil || !ix.wants(c) {
			continue
		}
		_, err := s.backend.get(ctx, c.Key)
		if errors.Is(err, ErrAbsent) {
			continue
		}
		if err != nil {
			return nil, err
		}
		ix.take(*c.Keep)
		adopted = append(adopted, c.Keep.Alias)
	}
	return adopted, nil
}

// take gives the item with the id of an entry that entry's value, or puts the entry at the end, and ends its note. It returns the
// key of the value before, which is noted as to go.
func (ix *index) take(e entry) (old string) {
	ix.finish(e.Key)
	if was := ix.find(e.ID); was != nil {
		old = was.Key
		was.Key, was.Changed = e.Key, e.Changed
		ix.Unfinished = append(ix.Unfinished, change{Key: old, Since: e.Changed})
		return old
	}
	ix.Items = append(ix.Items, e)
	return ""
}

func (ix *index) finish(key string) {
	ix.Unfinished = slices.DeleteFunc(ix.Unfinished, func(c change) bool { return c.Key == key })
}

func (ix *index) points(key string) bool {
	return slices.ContainsFunc(ix.Items, func(e entry) bool { return e.Key == key })
}

// wants reports whether what was to be kept is still to be: the value that it replaces stands, or its names are free.
func (ix *index) wants(c change) bool {
	was := ix.find(c.Keep.ID)
	if c.Was != "" {
		return was != nil && was.Key == c.Was
	}
	return was == nil && ix.free(c.Keep.Item) == nil
}
