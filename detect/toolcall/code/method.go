package code

// method.go evaluates methods of values and of unknown objects.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

func (in *interpreter) method(self value, name string, args value) value {
	if in.choosing {
		if n := max(args.choices(0), self.choices(3)); n > 1 && !in.takesAll(name, args) {
			return in.evaluateEach(n, func(i int) value { return in.method(self.choice(i), name, args.pick(i, 0)) })
		}
	}
	if self.fn != nil {
		return in.callFunction(self.fn, args)
	}
	if in.imitates(self, name) {
		return self
	}
	if v, ok := in.objectMethod(self, name, args); ok {
		return v
	}
	if in.language == trace.Ruby && argument(args, 0).known && name == words.Among(name, "send public_send __send__") {
		return in.call(&data{name: args.items[0].text}, &data{list: true, items: args.items[1:]})
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
		return &data{text: "$object"}
	}
	if v, ok := in.listMethod(self, name, args); ok {
		return v
	}
	if v, ok := in.passFunctions(name, self, args); ok {
		return v
	}
	if in.language == trace.Compiled {
		if v, ok := in.compiledMethod(self, name, args); ok {
			return v
		}
	}
	first := argument(args, 0)
	if first.known && losesData(name, first.text) {
		if database.CodeSQL(in.trace, in.command, first.text, in.connected.usesTests()) {
			in.connected.others++
		}
		return &data{}
	}
	switch name {
	case words.Among(name, "decode encode strip trim rstrip chomp toString to_s text content body string freeze dup "+
		"String result value read readText stdout strip! resolve absolute b Trim trimEnd absolutePath expand_path flat "+
		"to_a readlines readlines! getvalue path getPathname as_posix toPath getText readLines toURL toURI"):
		return in.passThrough(self, name, args)
	case "join":
		return in.joinMethod(self, first)
	case "split":
		if len(args.items) == 0 {
			return in.splitAt(self, " ")
		}
		return in.splitAt(self, first.text)
	case "format":
		return formatBraces(self, args)
	case "replace", "gsub", "sub", "replaceAll":
		return replaceText(self, first, argument(args, 1))
	case "concat":
		return join(self, first)
	case "reverse":
		return reverse(self)
	case "chr":
		return fromCharCodes(self)
	case "map":
		return applyToItems(self, first)
	case "pack", "unpack", "unpack1":
		return unpackValue(self, name, first)
	case words.Among(name, "then forEach each map! each_line tap catch finally"):
		if first.name == "eval" || first.name == "Function" {
			return in.evalText(self)
		}
		return &data{taint: self.itemTaint() | args.itemTaint()}
	case words.Among(name, "execute executescript executemany exec_driver_sql query raw execute_sql unsafe Exec"):
		if in.language == trace.Groovy && name == "execute" {
			return in.processValue(self, in.runText(self))
		}
		if first.known && strings.Contains(first.text, " ") {
			if database.CodeSQL(in.trace, in.command, first.text, in.connected.usesTests()) {
				in.connected.others++
			}
		} else if file, ok := trace.FileOf(first.toTrace()); ok {
			in.trace.InputScript(in.command, file, func(inner *trace.Command, text string) {
				database.SQL(in.trace, inner, text)
			})
		}
	case "extractall", "extractAllTo":
		return in.unpackInto(first, args)
	case "evaluate":
		if in.language == trace.Groovy {
			return in.evalText(first) // new GroovyShell().evaluate(…)
		}
	case "constructor":
		if len(args.items) > 0 {
			return in.evalText(first)
		}
		return &data{name: "Function"}
	}
	if self.walked && name != words.Among(name, "unlink rmdir rmtree") {
		return self
	}
	return in.methodByName(self, name, args)
}

// takesAll reports whether a method is called only once, with all choices of its object. Methods that add to lists or
// join them are called once, and so are methods that pass the items to a function.
func (in *interpreter) takesAll(name string, args value) bool {
	for _, v := range args.items {
		if in.isCallable(v) {
			return true
		}
	}
	return name == words.Among(name, "append push add extend join values keys items")
}

// listMethod evaluates a method of a list or a dictionary. It reports whether it knows the method.
func (in *interpreter) listMethod(self value, name string, args value) (value, bool) {
	first := argument(args, 0)
	switch name {
	case words.Among(name, "append push add push_back unshift insert append! prepend extend addAll"):
		added := args.items
		if (name == "extend" || name == "addAll") && first.list {
			added = first.items
		}
		for _, v := range added {
			in.grow(self.from, v)
		}
		return self, self.from != ""
	case "gmatch", "each_line":
		return in.splitAt(self, "\n"), self.known && !self.list
	case "glob", "children", "each_child", "entries":
		if self.known && !self.list && in.language == trace.Ruby {
			if first.fn != nil || !first.known {
				first = textValue("*")
			}
			return walkedList(joinPath(self, first)), true
		}
	case words.Among(name, "items iteritems each_pair enumerate each_with_index lines splitlines"):
		if name == "lines" || name == "splitlines" {
			return in.splitAt(self, "\n"), self.known && !self.list
		}
		return self, self.list && len(args.items) == 0
	case "keys":
		return asItems(keysOf(self)), len(self.pairs) > 0
	case "values":
		return asItems(valuesOf(self)), len(self.pairs) > 0
	case words.Among(name, "get fetch dig at pop shift sample popleft poll choice last next"):
		if v, ok := self.entry(first.text); ok && first.known {
			return v, true
		}
		if self.list && len(self.items)+len(self.pairs) > 0 {
			in.choosing = true
			item := itemsOf(self)
			if name == "get" && columnsOf(item) == 2 {
				item = columnOf(item, 1) // new Map([[key, value]])
			}
			return item, true
		}
	case "first":
		return argument(self, 0), self.list && len(self.items) > 0
	case words.Among(name, "filter select reject sort sorted reverse! uniq compact slice"):
		if f := first.fn; f != nil {
			in.passFunctions(name, self, args)
		}
		if n, ok := first.integer(); ok && name == "slice" && n > 0 && self.list && !self.any {
			self = &data{list: true, items: self.items[min(n, len(self.items)):], taint: self.taint}
		}
		return self, self.list || self.walked
	}
	return &data{}, false
}

// passThrough evaluates a method that returns the content or the text of its object.
func (in *interpreter) passThrough(self value, name string, args value) value {
	if file := secretFile(args); name == "read" && file != nil {
		return in.readPaths(file) // configparser
	}
	switch {
	case self.known && IsURL(self.text) && name == words.Among(name, "read readlines text readText readLines getText"):
		return in.readPaths(self) // URI("…").read, new URL("…").text
	case self.kind == fileObject:
		return fileContent(self)
	case strings.HasPrefix(self.name, "sys.stdin"),
		self.name == "process.stdin", self.name == "STDIN", self.name == "$stdin":
		return in.stdin()
	case self.kind == processObject && len(args.items) > 0:
		return self
	}
	if name == "toString" || name == "decode" || name == "encode" {
		if how := argument(args, 0); how.known && self.known {
			return decodeNamed(how.text, self)
		}
	}
	return self
}

// joinMethod evaluates a method that joins a list: ", ".join(list) in Python, or list.join(", ") in other languages.
func (in *interpreter) joinMethod(self, first value) value {
	if in.language == trace.Python {
		if self.name != "" && !self.known {
			return joinPath(self, first)
		}
		return joinItems(first, self.text)
	}
	return joinItems(self, first.text)
}

// formatBraces evaluates Python's "…".format(…), which replaces each {} in the text.
func formatBraces(self, args value) value {
	out := self.clone()
	for i := 0; i < len(args.items) && strings.Contains(out.text, "{}"); i++ {
		v := args.items[i].toTrace()
		out.text = strings.Replace(out.text, "{}", v.Text, 1)
		out.known = out.known && !v.Partial
		out.taint |= v.Taint
		if len(out.text) > maxJoined {
			return &data{taint: out.taint}
		}
	}
	if strings.Contains(out.text, "{") {
		out.known = false
		out.taint |= args.itemTaint()
	}
	return out
}

func replaceText(self, from, to value) value {
	if !self.known || !from.known || !to.known || len(self.text)*(len(to.text)+1) > 8*maxJoined || from.text == "" {
		return &data{taint: self.taint | to.taint}
	}
	self = self.clone()
	self.text = strings.ReplaceAll(self.text, from.text, to.text)
	return self
}

// applyToItems evaluates a call of f for each item of a list. The result is known only if f turns numbers into letters.
func applyToItems(self, f value) value {
	out := &data{list: true, taint: self.taint}
	if f.name != "chr" && f.text != "chr" && !strings.HasSuffix(f.name, "fromCharCode") {
		return &data{taint: self.itemTaint()}
	}
	for _, item := range self.items {
		out.items = append(out.items, fromCharCodes(item))
	}
	return out
}

// host returns the first host or address among the string literals of the code, or "".
func (in *interpreter) host() string {
	for _, text := range in.literals.texts {
		if IsURL(text) || strings.Count(text, ".") > 1 && !strings.ContainsAny(text, " /:\n") || strings.HasSuffix(text, ".com") {
			return strings.TrimSuffix(text, "/")
		}
	}
	return ""
}

// methodByName evaluates a method by its name alone, because the type of the object is unknown.
func (in *interpreter) methodByName(self value, name string, args value) value {
	taint := self.itemTaint() | args.itemTaint()
	path := argument(args, 0)
	deletes := name == "delete" && (in.language == trace.Python || strings.HasPrefix(path.text, "/"))
	if name == "request" && isDelete(path) {
		deletes = true
		if route := path.text[len("DELETE"):]; route != "" {
			in.markDelete(textValue("https://api.github.com" + strings.TrimSpace(route))) // a route of Octokit
		}
		path = argument(args, 1)
	}
	if url := urlOf(args); deletes && url.text != "" {
		in.markDelete(url)
	} else if host := in.host(); deletes && host != "" && strings.HasPrefix(path.text, "/") {
		in.markDelete(textValue(host + path.text))
	}
	if in.gitMethod(name, args) || in.libraryMethod(self, name, args) || in.serviceMethod(self, name, args) {
		return &data{taint: taint}
	}
	if self.kind == queryObject && name == "list" || standsForData(name) && len(args.items) == 0 ||
		name == "get_repo" && strings.IndexByte(path.text, '/') > 0 { // PyGithub
		return &data{kind: queryObject, taint: taint}
	}
	if url := urlOf(args); name == "request" && path.text == "GET" && IsURL(url.text) {
		return in.fetchAddress(url, args)
	}
	switch name {
	case "getresponse": // http.client
		in.seen.downloads = true
		return &data{text: "$download", taint: trace.FromNetwork}
	case "connect", "createConnection", "connect_ex", "create_connection":
		general := in.language == trace.Python || in.language == trace.Script || in.language == trace.Lua
		if isSocketLike(self) && (self.kind == socketObject || len(args.items) > 0 && general) {
			in.noteLocalSocket(args)
			in.connect()
		}
	case words.Among(name, "get fetch download retrieve head"):
		if url := urlOf(args); url.known && IsURL(url.text) {
			return in.fetchAddress(url, args) // a session or a client of an HTTP library
		}
	case "recv", "gets", "recvfrom":
		if in.seen.connected {
			return &data{taint: trace.FromSocket, text: "$received"}
		}
	case words.Among(name, "sendmail send_message storbinary post put upload upload_file upload_fileobj put_object "+
		"request send publish fastPut fput_object uploadFile upload_from_filename"):
		if sent := deepTaint(args, 0); sent.IsPrivate() {
			return in.sendData(urlOf(args), args)
		}
		if file := secretFile(args); file != nil && uploadsFile(in.language, name) {
			return in.sendData(&data{}, in.readPaths(file))
		}
	case "fdopen", "dup2", "reopen":
		if in.seen.connected {
			in.trace.Mark(in.command, "connects its input and output to the network", effect.ReverseShell)
		}
	case "accept", "bind", "listen":
		in.seen.waits = true
		in.noteLocalSocket(args)
		if name == "accept" {
			in.connect()
		}
		return &data{kind: socketObject, taint: trace.FromSocket, text: "$socket"}
	case words.Among(name, "unlink rmdir write_text write_bytes rmtree touch"):
		if in.language == trace.Python || in.language == trace.Ruby && self.known {
			return in.pathMethod(self, name, args)
		}
	case words.Among(name, "spawn exec execSync spawnSync system"):
		child := strings.Contains(strings.ToLower(self.name), "child")
		if in.language == trace.Script && child || name == "system" || name == "execSync" ||
			in.language == trace.Groovy && name == "exec" {
			return in.performRun(library.Action{Kind: library.RunCommand}, args)
		}
	}
	return &data{taint: taint}
}

// uploadsFile reports whether an argument of a method is the name of a file that the method sends.
func uploadsFile(language trace.Language, name string) bool {
	return name != "post" && name != "request" && (name != "put" || language == trace.Python)
}

// secretFile returns the first argument that names a file with secrets, or nil. It ignores URLs, because such a file
// may be on another machine.
func secretFile(args value) value {
	for _, item := range args.items {
		if item.known && trace.IsSecret(item.text) && !strings.ContainsAny(item.text, ": ") {
			return item
		}
	}
	return nil
}

// isSocketLike reports whether an object with a connect method is probably a network connection, and not a database,
// for example.
func isSocketLike(self value) bool {
	return self.kind == socketObject || strings.Contains(strings.ToLower(self.name), "sock") ||
		self.name == "s" || self.name == "net" || self.taint.Has(trace.FromSocket)
}

// losesData reports whether a method gets a text that is an SQL statement that loses data. Methods with the same names
// do not always run SQL, so only such texts count as SQL.
func losesData(method, text string) bool {
	verb, _, more := strings.Cut(strings.TrimSpace(text), " ")
	return more && words.OneOf(strings.ToUpper(verb), "DROP TRUNCATE DELETE ALTER") &&
		words.OneOf(method, "exec run do unsafe query! executeRawUnsafe $executeRawUnsafe queryRawUnsafe $queryRawUnsafe Exec "+
			"ExecContext exec_query exec_params prepare")
}
