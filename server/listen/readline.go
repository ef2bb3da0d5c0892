package listen

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// errTooLong means that a line was longer than it may be. Its beginning is returned, the rest is thrown away.
var errTooLong = errors.New("the message is too long")

// keepOfTooLong is how much of the beginning of a line that is too long is kept, to find out which request it was.
const keepOfTooLong = 4096

// readLine returns the next line without its ending. A last line without an ending counts.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > limit+2 {
			return tooLong(r, append(line, part...), err)
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return bytes.TrimRight(line, "\r\n"), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(bytes.TrimSpace(line)) > 0:
			return line, nil
		default:
			return nil, err
		}
	}
}

func tooLong(r *bufio.Reader, line []byte, err error) ([]byte, error) {
	head := bytes.Clone(line[:min(len(line), keepOfTooLong)])
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = r.ReadSlice('\n')
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return head, errTooLong
}
