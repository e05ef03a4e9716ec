package code

// method.go evaluates methods of values and of unknown objects.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/code/system"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

func (in *interpreter) method(self value.Value, name string, args value.Value) value.Value {
	if in.choosing {
		if n := max(args.Choices(0), self.Choices(3)); n > 1 && !in.takesAll(name, args) {
			return in.evaluateEach(n, func(i int) value.Value { return in.method(self.Choice(i), name, args.Pick(i, 0)) })
		}
	}
	if self.Function != nil && name != "constructor" {
		return in.callFunction(self.Function, args)
	}
	if in.imitates(self, name) {
		return self
	}
	if v, ok := in.ObjectMethod(self, name, args); ok {
		return v
	}
	if in.Language == trace.Ruby && value.Argument(args, 0).Known && name == words.Among(name, "send public_send __send__") {
		return in.call(&value.Data{Name: args.Items[0].Text}, value.List(args.Items[1:]...))
	}
	if in.Language == trace.Ruby && value.Argument(args, 0).Known && name == "method" {
		return in.member(self, args.Items[0].Text)
	}
	if f := in.methodNamed(self, name); f != nil {
		return in.callFunction(f, args)
	}
	if v, ok := in.serviceObjectMethod(self, name, args); ok {
		return v
	}
	in.noteOverwrite(name, args)
	if name == "new" && in.constructor() != nil {
		in.callFunction(in.constructor(), args)
		return &value.Data{Text: "$object"}
	}
	if v, ok := in.listMethod(self, name, args); ok {
		return v
	}
	if v, ok := in.passFunctions(name, self, args); ok {
		return v
	}
	if in.Language == trace.Compiled {
		if v, ok := in.compiledMethod(self, name, args); ok {
			return v
		}
	}
	first := value.Argument(args, 0)
	if text := first.ToTrace().Text; !first.List && isLosingSQL(name, text) {
		in.runSQL(text)
		return &value.Data{}
	}
	if v, ok := in.textMethod(self, name, args); ok {
		return v
	}
	switch name {
	case words.Among(name, "then forEach each map! each_line tap catch finally"):
		if first.Name == "eval" || first.Name == "Function" {
			return in.evalText(self)
		}
		return &value.Data{Taint: self.ItemTaint() | args.ItemTaint()}
	case words.Among(name, "execute executescript executemany exec_driver_sql query raw execute_sql unsafe Exec"):
		if in.Language == trace.Groovy && name == "execute" {
			return in.ProcessValue(self, in.RunText(self))
		}
		if first.Known && strings.Contains(first.Text, " ") {
			in.runSQL(first.Text)
		} else if file, ok := trace.FileOf(first.ToTrace()); ok {
			in.Trace.InputScript(in.Command, file, func(inner *trace.Command, text string) {
				database.SQL(in.Trace, inner, text)
			})
		}
	case "extractall", "extractAllTo":
		return in.UnpackInto(first, args)
	case "evaluate":
		if in.Language == trace.Groovy {
			return in.evalText(first) // as in new GroovyShell().evaluate(…)
		}
	case "constructor":
		if len(args.Items) > 0 {
			return in.callNamed(&value.Data{Name: "Function"}, args)
		}
		return &value.Data{Name: "Function"}
	}
	if self.Walked && name != words.Among(name, "unlink rmdir rmtree") {
		return self
	}
	return in.methodByName(self, name, args)
}

// textMethod evaluates a method that computes a text from other texts. The second result says whether textMethod knows
// the method.
func (in *interpreter) textMethod(self value.Value, name string, args value.Value) (value.Value, bool) {
	first := value.Argument(args, 0)
	switch name {
	case words.Among(name, "decode encode strip trim rstrip chomp toString to_s text content body string freeze dup "+
		"String result value read readText stdout strip! resolve absolute b Trim trimEnd absolutePath expand_path flat "+
		"to_a readlines readlines! getvalue path getPathname as_posix toPath getText readLines toURL toURI"):
		return in.passThrough(self, name, args), true
	case "join":
		return in.joinMethod(self, first), true
	case "split":
		if len(args.Items) == 0 {
			return in.splitAt(self, " "), true
		}
		return in.splitAt(self, first.Text), true
	case "format", "format_map":
		return in.formatBraces(self, args), true
	case "replace", "gsub", "sub", "replaceAll":
		return value.ReplaceText(self, first, value.Argument(args, 1)), true
	case "concat":
		return value.Join(self, first), true
	case "reverse":
		return value.Reverse(self), true
	case "chr":
		return value.FromCharCodes(self), true
	case "map":
		return applyToItems(self, first), true
	case "pack", "unpack", "unpack1":
		return value.Unpack(self, name, first), true
	}
	return nil, false
}

// takesAll reports whether a method is called once for all choices of its object and its arguments. Other methods are
// called once for each choice. takesAll returns true for methods that add items to a list, join a list, or return the
// content of a dictionary. It also returns true for methods that pass the items to a function.
func (in *interpreter) takesAll(name string, args value.Value) bool {
	for _, v := range args.Items {
		if in.isCallable(v) {
			return true
		}
	}
	return name == words.Among(name, "append push add extend join values keys items")
}

// listMethod evaluates a method of a list or a dictionary. The second result says whether listMethod knows the method.
func (in *interpreter) listMethod(self value.Value, name string, args value.Value) (value.Value, bool) {
	first := value.Argument(args, 0)
	switch name {
	case words.Among(name, "append push add push_back unshift insert append! prepend extend addAll"):
		added := args.Items
		if (name == "extend" || name == "addAll") && first.List {
			added = first.Items
		}
		for _, v := range added {
			in.grow(self.From, v)
		}
		return self, self.From != ""
	case "gmatch", "each_line":
		return in.splitAt(self, "\n"), self.Known && !self.List
	case "glob", "children", "each_child", "entries":
		if self.Known && !self.List && in.Language == trace.Ruby {
			if first.Function != nil || !first.Known {
				first = value.Text("*")
			}
			return system.WalkedList(value.JoinPath(self, first)), true
		}
	case words.Among(name, "items iteritems each_pair enumerate each_with_index lines splitlines"):
		if name == "lines" || name == "splitlines" {
			return in.splitAt(self, "\n"), self.Known && !self.List
		}
		return self, self.List && len(args.Items) == 0
	case "keys":
		return value.AsItems(value.KeysOf(self)), len(self.Pairs) > 0
	case "values":
		return value.AsItems(value.ValuesOf(self)), len(self.Pairs) > 0
	case words.Among(name, "get fetch dig at pop shift sample popleft poll choice last next"):
		if v, ok := self.EntryOf(first.Text); ok && first.Known {
			return v, true
		}
		if self.List && len(self.Items)+len(self.Pairs) > 0 {
			in.choosing = true
			item := value.ItemsOf(self)
			if name == "get" && value.ColumnsOf(item) == 2 {
				item = value.ColumnOf(item, 1) // as in new Map([[key, value]])
			}
			return item, true
		}
	case "first":
		return value.Argument(self, 0), self.List && len(self.Items) > 0
	case words.Among(name, "filter select reject sort sorted reverse! uniq compact slice"):
		if f := first.Function; f != nil {
			in.passFunctions(name, self, args)
		}
		if n, ok := first.Integer(); ok && name == "slice" && n > 0 && self.List && !self.Any {
			self = &value.Data{List: true, Items: self.Items[min(n, len(self.Items)):], Taint: self.Taint}
		}
		return self, self.List || self.Walked || self.Known && name != "slice" || self.Taint.Has(trace.FromEnviron)
	}
	return &value.Data{}, false
}

// passThrough evaluates a method that returns the content or the text of its object.
func (in *interpreter) passThrough(self value.Value, name string, args value.Value) value.Value {
	if file := secretFile(args); name == "read" && file != nil {
		return in.ReadPaths(file) // the method read of configparser
	}
	switch {
	case self.Known && trace.IsURL(self.Text) && name == words.Among(name, "read readlines text readText readLines getText"):
		return in.ReadPaths(self) // as in URI("…").read and new URL("…").text
	case self.Kind == value.FileObject:
		return system.FileContent(self)
	case strings.HasPrefix(self.Name, "sys.stdin"),
		self.Name == "process.stdin", self.Name == "STDIN", self.Name == "$stdin":
		return in.Stdin()
	case self.Kind == value.ProcessObject && len(args.Items) > 0:
		return self
	}
	if name == "toString" || name == "decode" || name == "encode" {
		if how := value.Argument(args, 0); how.Known && self.Known {
			return value.DecodeNamed(how.Text, self)
		}
	}
	return self
}

// joinMethod evaluates a method that joins a list: ", ".join(list) in Python, or list.join(", ") in other languages.
func (in *interpreter) joinMethod(self, first value.Value) value.Value {
	if in.Language == trace.Python {
		if self.Name != "" && !self.Known {
			return value.JoinPath(self, first)
		}
		return value.JoinItems(first, self.Text)
	}
	return value.JoinItems(self, first.Text)
}

// The method formatBraces evaluates Python's "…".format(…), which replaces each {} in the text. A name between the
// braces stands for the argument with this name. A number stands for the argument at this index.
func (in *interpreter) formatBraces(self, args value.Value) value.Value {
	out := in.fillNames(self, "{", "}", args)
	if strings.Contains(out.Text, "{") {
		out.Known = false
		out.Taint |= args.ItemTaint()
	}
	return out
}

// The method fillNames replaces names in a text. The parameters "before" and "after" are the texts on both sides of a
// name, such as { and }. Each name is replaced with the value that has this name in args: a named argument, an entry of
// a dictionary, or the argument at an index. An empty name stands for the next argument. If no value has the name, the
// name stays in the text.
func (in *interpreter) fillNames(text value.Value, before, after string, args value.Value) value.Value {
	out, rest, next := text.Clone(), text.Text, 0
	for out.Text = ""; len(out.Text) < value.MaxJoined; {
		head, tail, found := strings.Cut(rest, before)
		out.Text += head
		if !found {
			return out
		}
		field, _, closed := strings.Cut(tail[:min(len(tail), maxNameLength)], after)
		name, _, _ := strings.Cut(field, ":")
		v, known := &value.Data{}, false
		for _, options := range args.OptionSets() {
			if !known && in.spend(1+len(options.Pairs)/8) {
				v, known = options.EntryOf(name)
			}
		}
		n, isIndex := value.Text(name).Integer()
		if name == "" {
			n, isIndex = next, true
			next++
		}
		if isIndex && n < len(args.Items) {
			v, known = value.Argument(args, n), true
		}
		if !closed || !known {
			out.Text += before
			rest = tail
			continue
		}
		filled := v.ToTrace()
		out.Text += filled.Text
		out.Known = out.Known && !filled.Partial
		out.Taint |= filled.Taint
		rest = tail[len(field)+len(after):]
	}
	return &value.Data{Taint: out.Taint}
}

// applyToItems evaluates a call of the function f for each item of a list. The result is known only if f turns numbers
// into letters.
func applyToItems(self, f value.Value) value.Value {
	out := &value.Data{List: true, Taint: self.Taint}
	if f.Name != "chr" && f.Text != "chr" && !strings.HasSuffix(f.Name, "fromCharCode") {
		return &value.Data{Taint: self.ItemTaint()}
	}
	for _, item := range self.Items {
		out.Items = append(out.Items, value.FromCharCodes(item))
	}
	return out
}

// host() returns the first string literal of the code that is a host or an address, or "".
func (in *interpreter) host() string {
	for _, text := range in.literals.texts {
		if trace.IsURL(text) || strings.Count(text, ".") > 1 && !strings.ContainsAny(text, " /:\n") || strings.HasSuffix(text, ".com") {
			return strings.TrimSuffix(text, "/")
		}
	}
	return ""
}

// methodByName evaluates a method by its name alone, because the type of the object is unknown.
func (in *interpreter) methodByName(self value.Value, name string, args value.Value) value.Value {
	taint := self.ItemTaint() | args.ItemTaint()
	path := value.Argument(args, 0)
	deletes := name == "delete" && (in.Language == trace.Python || strings.HasPrefix(path.Text, "/"))
	url := system.URLOf(args)
	if name == "request" {
		if address, options := in.routeOf(url, args); trace.IsURL(address.Text) {
			return in.FetchAddress(address, options)
		}
		if system.IsDelete(path) {
			deletes, path = true, value.Argument(args, 1)
		}
	}
	if deletes && url.Text != "" && !strings.HasPrefix(url.Text, "/") {
		in.NoteRequest("DELETE", url, value.List())
	} else if deletes && strings.HasPrefix(path.Text, "/") && in.host() != "" {
		in.NoteRequest("DELETE", value.Text(in.host()+path.Text), value.List())
	}
	if in.gitMethod(name, args) || in.libraryMethod(self, name, args) || in.serviceMethod(self, name, args) {
		return &value.Data{Taint: taint}
	}
	if self.Kind == value.QueryObject && name == "list" || standsForData(name) && len(args.Items) == 0 ||
		name == "get_repo" && strings.IndexByte(path.Text, '/') > 0 { // the method is from PyGithub
		return &value.Data{Kind: value.QueryObject, Taint: taint}
	}
	if words.OneOf(name, "post put patch") {
		if strings.HasPrefix(path.Text, "/") && !in.lacks("base_url baseURL base_uri") {
			url = value.Text(in.host() + path.Text) // as in a client with a base address
		}
		if trace.IsURL(url.Text) && (name != "put" || system.HasBody(args)) {
			in.NoteRequest(name, url, args)
		}
	}
	switch name {
	case "getresponse": // the method is from http.client
		in.Seen.Downloads = true
		return &value.Data{Text: "$download", Taint: trace.FromNetwork}
	case "connect", "createConnection", "connect_ex", "create_connection":
		general := in.Language == trace.Python || in.Language == trace.Script || in.Language == trace.Lua
		if isSocketLike(self) && (self.Kind == value.SocketObject || len(args.Items) > 0 && general) {
			in.NoteLocalSocket(args)
			in.Connect()
		}
	case words.Among(name, "get fetch download retrieve head"):
		if url.Known && trace.IsURL(url.Text) {
			return in.FetchAddress(url, args) // the object is a session or a client of an HTTP library
		}
	case "recv", "gets", "recvfrom":
		if in.Seen.Connected {
			return &value.Data{Taint: trace.FromSocket, Text: "$received"}
		}
	case words.Among(name, "sendmail send_message storbinary post put upload upload_file upload_fileobj put_object "+
		"request send publish fastPut fput_object uploadFile upload_from_filename"):
		if sent := value.DeepTaint(args, 0); sent.IsPrivate() {
			return in.SendData(url, args)
		}
		if file := secretFile(args); file != nil && uploadsFile(in.Language, name) {
			return in.SendData(&value.Data{}, in.ReadPaths(file))
		}
	case "fdopen", "dup2", "reopen":
		if in.Seen.Connected {
			in.Trace.Mark(in.Command, "connects its input and output to the network", effect.ReverseShell)
		}
	case "accept", "bind", "listen":
		in.Seen.Waits = true
		in.NoteLocalSocket(args)
		if name == "accept" {
			in.Connect()
		}
		return &value.Data{Kind: value.SocketObject, Taint: trace.FromSocket, Text: "$socket"}
	case words.Among(name, "unlink rmdir write_text write_bytes rmtree touch"):
		if in.Language == trace.Python || in.Language == trace.Ruby && self.Known {
			return in.PathMethod(self, name, args)
		}
	case words.Among(name, "spawn exec execSync spawnSync system"):
		child := strings.Contains(strings.ToLower(self.Name), "child")
		if in.Language == trace.Script && child || name == "system" || name == "execSync" ||
			in.Language == trace.Groovy && name == "exec" {
			return in.PerformRun(library.Action{Kind: library.RunCommand}, args)
		}
	}
	return &value.Data{Taint: taint}
}

// routeOf returns the address of a request and the arguments with its body. Octokit has one argument for the method and
// the address, such as "PATCH /repos/a/b", or a dictionary with everything.
func (in *interpreter) routeOf(url, args value.Value) (value.Value, value.Value) {
	first := value.Argument(args, 0)
	if _, route, ok := strings.Cut(first.Text, " "); ok {
		url = value.Text(route)
	} else if len(args.Items) == 1 {
		args = value.List(first, first)
	}
	url = in.fillNames(url, "{", "}", args)
	if in.octokit && strings.HasPrefix(url.Text, "/") {
		url.Text = "https://api.github.com" + url.Text
	}
	return url, args
}

// uploadsFile reports whether the method with this name sends the files whose paths are its arguments.
func uploadsFile(language trace.Language, name string) bool {
	return name != "post" && name != "request" && (name != "put" || language == trace.Python)
}

// secretFile returns the first argument that is the path of a secret file, or nil. It ignores URLs, because a file at a
// URL may be on another machine.
func secretFile(args value.Value) value.Value {
	for _, item := range args.Items {
		if item.Known && trace.IsSecret(item.Text) && !strings.ContainsAny(item.Text, ": ") {
			return item
		}
	}
	return nil
}

// isSocketLike reports whether an object with a method "connect" is probably a network connection rather than, for
// example, a database.
func isSocketLike(self value.Value) bool {
	return self.Kind == value.SocketObject || strings.Contains(strings.ToLower(self.Name), "sock") ||
		self.Name == "s" || self.Name == "net" || self.Taint.Has(trace.FromSocket)
}
