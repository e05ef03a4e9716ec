package code

// fake.go recognizes objects that only imitate a database or a cloud. Calls of their methods do not matter. This file
// ignores the fakes of libraries such as moto, because such a fake replaces the real service only until the code stops
// the fake.

import (
	"strings"

	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/words"
)

// fakeModules lists modules whose classes and functions make fakes. The constant "mocks" lists classes whose
// objects are fakes if the objects are made without arguments. With an argument, they do not count as fakes, because
// the argument may be a real object.
const (
	fakeModules = "mongomock fakeredis testcontainers pg-mem ioredis-mock redis-mock mongodb-memory-server"
	mocks       = "unittest.mock.Mock unittest.mock.MagicMock unittest.mock.AsyncMock mock.Mock mock.MagicMock mock.AsyncMock"
)

// makesFake reports whether the result of a call is a fake.
func (in *interpreter) makesFake(name string, args value.Value) bool {
	if words.OneOf(name, "httpx.Client httpx.AsyncClient") {
		transport, _ := args.Entry("transport")
		return transport != nil && in.isFake(transport) && in.lacks("mounts HTTPTransport httpx.delete httpx.post httpx.put "+
			"httpx.patch httpx.request httpx.stream httpx.get urllib requests.")
	}
	if name == "httpx.MockTransport" {
		return true
	}
	if name == words.Among(name, mocks) {
		return len(args.Items)+len(args.Pairs) == 0
	}
	if driver := value.Argument(args, 0); name == "knex" && len(driver.Pairs) == 1 && len(driver.Items) == 0 {
		// Without a connection, knex can only print statements.
		return driver.Pairs[0].Key == "client" && driver.Pairs[0].Value.Known && in.lacks("connect pool initialize assign [")
	}
	module, member, _ := strings.Cut(name, ".")
	if module != words.Among(module, fakeModules) {
		return false
	}
	if folder, rest, _ := strings.Cut(member, "."); module == "testcontainers" && rest != "" && folder[0] >= 'a' &&
		in.actionOf(member).Kind == library.NoAction {
		member = rest
	}
	return member == "" || member == words.Among(member, "newDb createClient") ||
		member[0] <= 'Z' && in.actionOf(member).Kind == library.NoAction
}

// imitates() reports whether a call of a method has no effect because the object is a fake. It returns false for a
// method that usually runs a command or changes files, because such a method may belong to a real object. If the method
// may put a real object into the fake, no object counts as a fake from then on.
func (in *interpreter) imitates(self value.Value, method string) bool {
	if method == words.Among(method, "configure_mock attach_mock update") {
		in.realInFake = true
	}
	return in.isFake(self) && method != words.Among(method, "system spawn spawnSync exec execSync unlink rmdir rmtree "+
		"write_text write_bytes touch")
}

func (in *interpreter) isFake(v value.Value) bool {
	return v.Kind == value.FakeObject && !in.realInFake && (in.noCloud || v.Text != mockText)
}
