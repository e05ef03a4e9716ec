package code

// fake.go recognizes objects that only imitate a database or a cloud. Calls of their methods do not matter. Libraries
// such as moto replace the real services only in a part of the code, so simulatesCloud() examines the whole code.

import (
	"slices"
	"strings"

	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/words"
)

// fakeModules lists modules whose classes and functions make fakes. The constant mocks lists classes whose objects are
// fakes if the objects are made without arguments. With an argument, they do not count as fakes, because the argument
// may be a real object.
const (
	fakeModules = "mongomock fakeredis testcontainers pg-mem ioredis-mock redis-mock mongodb-memory-server"
	mocks       = "unittest.mock.Mock unittest.mock.MagicMock unittest.mock.AsyncMock mock.Mock mock.MagicMock mock.AsyncMock"
)

// makesFake reports whether the result of a call is a fake.
func (in *interpreter) makesFake(name string, args value.Value) bool {
	if name == words.Among(name, mocks) {
		return len(args.Items)+len(args.Pairs) == 0
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

// The method imitates reports whether a call of a method has no effect because the object is a fake. It returns false
// for a method that usually runs a command or changes files, because such a method may belong to a real object. If the
// method may make a real object part of the fake, no object counts as a fake from then on.
func (in *interpreter) imitates(self value.Value, method string) bool {
	if method == words.Among(method, "configure_mock attach_mock update") {
		in.realInFake = true
	}
	return in.isFake(self) && method != words.Among(method, "system spawn spawnSync exec execSync unlink rmdir rmtree "+
		"write_text write_bytes touch")
}

func (in *interpreter) isFake(v value.Value) bool {
	return v.Kind == value.FakeObject && !in.realInFake
}

// simulatesCloud reports whether Python code uses AWS only where the library moto simulates it: in functions with the
// decorator @mock_aws, and below "with mock_aws():". Outside of these, the code may only import modules, define
// functions, and call the functions that have the decorator.
func simulatesCloud(source string) bool {
	if !strings.Contains(source, "from moto import mock_") && !strings.Contains(source, "import moto\n") ||
		strings.Contains(source, "stop") || strings.Contains(source, "passthrough") {
		return false
	}
	var simulated []string // the functions with the decorator
	decorated, found, main := false, false, false
	for line := range strings.Lines(source) {
		code, _, _ := strings.Cut(line, "#")
		code = strings.TrimRight(code, " \t\r\n")
		first, rest, _ := strings.Cut(code, " ")
		name, after, _ := strings.Cut(rest, "(")
		indented := first == "" || code[0] == '\t'
		if strings.Contains(code, ";") || strings.Contains(after, "boto3") && !indented ||
			indented && code != "" && main && !slices.Contains(simulated, strings.TrimSpace(code)) {
			return false
		}
		main = main && indented
		switch {
		case indented, first == "import":
		case first == "from" && (strings.HasPrefix(rest, "moto ") || !strings.Contains(rest, "mock_")):
		case first == "if" && strings.HasPrefix(rest, "__name__"):
			main = true
		case code[0] == '@' && isMock(code[1:]):
			decorated, found = true, true
		case first == "with" && isMock(strings.TrimSuffix(rest, ":")):
			found = true
		case first == "def" && after != "" && !strings.HasPrefix(name, "mock_"):
			if decorated {
				simulated = append(simulated, name+"()")
			}
			decorated = false
		case slices.Contains(simulated, code):
		default:
			return false
		}
	}
	return found
}

// isMock reports whether code starts the simulation of moto, as mock_aws() and moto.mock_s3 do.
func isMock(code string) bool {
	name, ok := strings.CutPrefix(strings.TrimSuffix(strings.TrimPrefix(code, "moto."), "()"), "mock_")
	return ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}
