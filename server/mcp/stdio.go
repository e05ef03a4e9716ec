package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// atOnce is the number of messages that are handled at the same time. maxLine is the largest size of a message in
// bytes. maxLine is large because the call of a hook contains the input of a tool, and this input can be a whole file.
const (
	atOnce  = 8
	maxLine = 64 << 20
)

// Stdio answers the messages of one client until the input ends or the context is done. Each line is one message.
// Before Stdio returns, it answers the messages that it has already read.
func (s *Server) Stdio(ctx context.Context, in io.Reader, out io.Writer) error {
	p := &pipe{server: s, out: out}
	err := p.serve(ctx, in)
	p.begun.Wait()
	if failed := p.failure(); failed != nil {
		return errors.New("answers cannot be written to the client: " + failed.Error())
	}
	return err
}

// serve() answers messages until the input ends, the context is done, or writing fails.
func (p *pipe) serve(ctx context.Context, in io.Reader) error {
	lines := make(chan line)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go read(ctx, in, lines)
	slots := make(chan struct{}, atOnce)
	n := &notifier{pipe: p, listed: p.listedTools(ctx)}
	for p.failure() == nil {
		select {
		case <-ctx.Done():
			return nil
		case <-p.server.changed:
			n.notify(ctx)
		case l := <-lines:
			if l.err != nil {
				return unlessEnd(l.err)
			}
			n.read(l.text)
			slots <- struct{}{}
			p.begun.Go(func() {
				p.answer(context.WithoutCancel(ctx), l.text)
				<-slots
			})
		}
	}
	return nil
}

// The type "line" holds one message, or the error that ended the input.
type line struct {
	text []byte
	err  error
}

// read() sends each line of a client to a channel, and finally the error that ended the input.
func read(ctx context.Context, in io.Reader, to chan<- line) {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(make([]byte, 0, 4<<10), maxLine)
	hand := func(l line) bool {
		select {
		case to <- l:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for scanner.Scan() {
		if text := scanner.Bytes(); len(text) > 0 && !hand(line{text: append([]byte(nil), text...)}) {
			return
		}
	}
	err := scanner.Err()
	if err == nil {
		err = io.EOF
	}
	hand(line{err: err})
}

func unlessEnd(err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case errors.Is(err, bufio.ErrTooLong):
		return errors.New("the client sent a message of more than 64 MiB")
	}
	return errors.New("the client's messages cannot be read: " + err.Error())
}

// The type "pipe" answers messages concurrently, but writes only one answer at a time.
type pipe struct {
	server *Server
	begun  sync.WaitGroup

	mu     sync.Mutex
	out    io.Writer
	failed error
}

func (p *pipe) answer(ctx context.Context, message []byte) {
	text, ok := p.server.asHook(message)
	if !ok {
		reply := p.server.library.HandleMessage(ctx, message)
		if reply == nil {
			return
		}
		var err error
		if text, err = json.Marshal(reply); err != nil {
			p.fail(err)
			return
		}
	}
	p.write(append(text, '\n'))
}

func (p *pipe) write(text []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.out.Write(text); err != nil && p.failed == nil {
		p.failed = err
	}
}

func (p *pipe) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed = errors.Join(p.failed, err)
}

func (p *pipe) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed
}
