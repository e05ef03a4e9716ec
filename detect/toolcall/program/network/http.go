package network

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

const curlValues = flags.Abbreviates + "--head o d F T H u X A b c e m x w K D E r C y Y z U P Q t " +
	"output data data-raw data-binary data-urlencode data-ascii json form form-string upload-file header user request " +
	"user-agent cookie cookie-jar referer max-time connect-timeout proxy proxy-user write-out config dump-header cert " +
	"key cacert capath retry retry-delay retry-max-time url url-query output-dir interface resolve connect-to " +
	"variable expand-data expand-url expand-header proxy-header unix-socket abstract-unix-socket socks5 " +
	"socks5-hostname limit-rate range trace trace-ascii stderr continue-at " +
	"time-cond tls-max ciphers oauth2-bearer aws-sigv4 noproxy max-redirs"

// stepsOfFlag is the number of steps that the analysis counts for each flag of a call and each URL.
const stepsOfFlag = 40

// The function curl analyzes the program curl, which sends requests to URLs. The program may also send data. The
// program prints the responses or writes them to files.
func curl(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), curlValues)
	if o.Has("help h version V manual M") && len(o.Operands) == 0 {
		return trace.Nothing()
	}
	if more := curlSettings(t, c, &o); len(more) > 0 {
		inner := *c
		inner.Argv = slices.Concat(c.Argv[:1], more, c.Args())
		c, o = &inner, flags.Parse(inner.Args(), curlValues)
	}
	urls := append(o.Values("url"), o.Operands...)
	body := curlBody(t, c, &o)
	data, sends := curlData(t, c, &o)
	data |= curlFiles(t, c, &o)
	out := trace.Flow{}
	for _, u := range urls {
		if !t.Spend(len(o.Flags) * stepsOfFlag) {
			break
		}
		if strings.HasPrefix(u.Text, "file://") {
			out = t.ReadFlow(u, c.Scope, c.Span)
			continue
		}
		out.Taint |= trace.FromNetwork
		host := trace.HostOf(u.Text)
		program.Download(t, c, host)
		self.MarkServerRequest(t, c, trace.FirstText(o.Values("X request")), u.Text, body, sends)
		markDeleteRequests(t, c, &o, u.Text)
		curlRequest(&o, u.Text, body, sends).Mark(t, c)
		taint := data | u.Taint | TaintOf(o.Values("url-query")) | taintOfHeaders(&o) |
			TaintOf(o.Values("u user"))&^trace.FromVariables
		if sends || taint.IsPrivate() {
			program.Upload(t, c, host, taint)
		}
	}
	dockerSocket(t, c, &o, sends)
	if curlOutput(t, c, &o, urls) {
		return trace.Nothing()
	}
	return out
}

// curlBody returns the data that curl sends, as far as it is known. The data may come from the input or from files that
// the call itself has written.
func curlBody(t *trace.Trace, c *trace.Command, o *flags.Options) string {
	values := o.Values("d data data-raw data-binary data-urlencode json")
	body := trace.JoinAll(values)
	if strings.Contains(body, "@-") && c.In.Known {
		body += "\n" + c.In.Text
	}
	for _, v := range values {
		name, isFile := strings.CutPrefix(v.Text, "@")
		if v.Text = name; isFile && len(t.Content) > 0 {
			body += "\n" + t.Content[t.Place(v, c.Scope).Name].Text
		}
	}
	return body
}

// curlRequest returns the request that curl sends to a URL.
func curlRequest(o *flags.Options, url, body string, sends bool) *Request {
	r := &Request{
		Method: o.LastText("X request"), URL: url, Body: body,
		SignedIn: o.Has("u user oauth2-bearer"),
	}
	if r.Method == "" && sends {
		r.Method = "POST"
	}
	if strings.Contains(strings.ToLower(body), "_method=delete") {
		r.Method = "DELETE"
	}
	for _, v := range o.Values("H header") {
		name, value, _ := strings.Cut(strings.ToLower(v.Text), ":")
		r.SignedIn = r.SignedIn || IsLoginHeader(name)
		if name == "x-http-method-override" {
			r.Method = strings.TrimSpace(value)
		}
	}
	return r
}

// IsLoginHeader reports whether a header carries a login or token.
func IsLoginHeader(name string) bool {
	return name == "authorization" || name == "cookie" || strings.HasSuffix(name, "token") ||
		strings.HasSuffix(name, "key")
}

// TaintOf returns the combined taint of all values. A taint is a set of origins of data, such as a secret file or the
// network.
func TaintOf(values []trace.Value) trace.Taint {
	var taint trace.Taint
	for _, v := range values {
		taint |= v.Taint
	}
	return taint
}

// taintOfHeaders returns the taint of the headers of a request, which says where their values come from. In a login
// header, such as Authorization, secrets from variables are ignored. In other headers, only the variables from a secret
// file are ignored.
func taintOfHeaders(o *flags.Options) trace.Taint {
	var taint trace.Taint
	list := o.Values("H header")
	for i := range list {
		allowed := trace.FromSetting
		name, _, _ := strings.Cut(strings.ToLower(list[i].Text), ":")
		if IsLoginHeader(name) && strings.IndexByte(name, '$') < 0 {
			allowed = trace.FromVariables
		}
		taint |= list[i].Taint &^ allowed
	}
	return taint | TaintOf(o.Values("A U user-agent e referer b cookie"))&^trace.FromSetting
}

// curlSettings returns the options in the files that -K names, in the form of arguments. For example, a line "request =
// DELETE" becomes "--request DELETE".
func curlSettings(t *trace.Trace, c *trace.Command, o *flags.Options) []trace.Value {
	var out []trace.Value
	add := func(_ *trace.Command, text string) {
		for _, line := range strings.Split(text, "\n") {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' || !t.Spend(stepsOfFlag) {
				continue
			}
			name, value := strings.TrimLeft(line, "-"), ""
			if at := strings.IndexAny(name, "=: \t"); at > 0 {
				name, value = name[:at], strings.Trim(strings.TrimLeft(name[at:], "=: \t"), `"`)
			}
			hyphens := "--"
			if len(name) == 1 {
				hyphens = "-"
			}
			out = append(out, trace.Value{Text: hyphens + name})
			if value != "" {
				out = append(out, trace.Value{Text: value})
			}
		}
	}
	for _, v := range o.Values("K config") {
		f := c.In
		if v.Text != "-" {
			f = t.ReadFlow(v, c.Scope, c.Span)
		}
		if f.Known {
			add(c, f.Text)
		} else if p := t.Place(v, c.Scope); v.Text != "-" && v.Pipe == nil {
			t.TextAt(c, &p, add)
		}
	}
	return out
}

// curlFiles adds the files that curl writes in addition to the responses, and the files from which it reads headers. It
// returns the taint of the headers in these files.
func curlFiles(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Taint {
	for _, v := range o.Values("D dump-header c cookie-jar trace trace-ascii stderr") {
		if v.Text != "-" {
			t.Write(v, c.Scope, c.Span)
		}
	}
	var sent trace.Taint
	for _, v := range o.Values("H header proxy-header") {
		if name, ok := strings.CutPrefix(v.Text, "@"); ok {
			sent |= program.Attached(t, c, name, v)
		}
	}
	return sent
}

// curlData returns the taint of the data that curl sends, which says where the data comes from. It also reports whether
// curl sends any data.
func curlData(t *trace.Trace, c *trace.Command, o *flags.Options) (trace.Taint, bool) {
	var taint trace.Taint
	sends := false
	for _, f := range o.Flags {
		if !f.Has {
			continue
		}
		text := f.Value.Text
		switch f.Name {
		case words.Among(f.Name, "d data data-binary data-ascii json"):
			sends = true
			taint |= f.Value.Taint
			if name, ok := strings.CutPrefix(text, "@"); ok {
				taint |= program.Attached(t, c, name, f.Value)
			}
		case "data-urlencode", "url-query", "variable":
			sends = sends || f.Name == "data-urlencode"
			taint |= f.Value.Taint
			if name, file, ok := strings.Cut(text, "@"); ok && !strings.Contains(name, "=") {
				taint |= program.Attached(t, c, file, f.Value)
			}
		case "F", "form":
			sends = true
			taint |= f.Value.Taint | formFile(t, c, f.Value)
		case "data-raw", "form-string":
			sends = true
			taint |= f.Value.Taint
		case "T", "upload-file":
			sends = true
			for _, name := range strings.Split(strings.Trim(text, "{}"), ",") {
				taint |= program.Attached(t, c, name, f.Value)
			}
		case "b", "cookie":
			if text != "" && text != "-" && !f.Value.Partial && !strings.Contains(text, "=") {
				taint |= t.ReadFlow(f.Value, c.Scope, c.Span).Taint
			}
		case "X", "request":
			sends = sends || text == "POST" || text == "PUT" || text == "PATCH"
		}
	}
	return taint, sends
}

// formFile adds the effect of reading the file in a form field (name=@file;type=… or name=<file), and returns the taint
// of the file.
func formFile(t *trace.Trace, c *trace.Command, v trace.Value) trace.Taint {
	_, content, ok := strings.Cut(v.Text, "=")
	if !ok || content == "" || content[0] != '@' && content[0] != '<' {
		return 0
	}
	file, _, _ := strings.Cut(content[1:], ";")
	return program.Attached(t, c, file, v)
}

// curlOutput adds the effects of writing the responses to files. It returns false if curl prints all responses instead.
func curlOutput(t *trace.Trace, c *trace.Command, o *flags.Options, urls []trace.Value) bool {
	dir := ""
	if vs := o.Values("output-dir"); len(vs) > 0 {
		dir = strings.TrimSuffix(vs[0].Text, "/") + "/"
	}
	written := false
	for _, v := range o.Values("o output") {
		if v.Text == "-" || v.Text == "/dev/stdout" {
			continue
		}
		written = true
		if !strings.HasPrefix(v.Text, "/") {
			v.Text = dir + v.Text
		}
		program.Saved(t, c, v)
	}
	if o.Has("O remote-name remote-name-all J remote-header-name") {
		written = true
		for _, u := range urls {
			program.Saved(t, c, namedAfter(u, dir))
		}
	}
	return written
}

// namedAfter returns the file to which a download is written if the command does not name a file. The file gets its
// name from the URL.
func namedAfter(u trace.Value, dir string) trace.Value {
	address, _, _ := strings.Cut(u.Text, "?")
	address = words.AfterLast(address, "://")
	name := "index.html"
	if i := strings.LastIndexByte(address, '/'); i >= 0 && i+1 < len(address) {
		name = address[i+1:]
	}
	return trace.Value{Text: dir + name, Quality: trace.Quality{Partial: u.Partial && strings.Contains(name, "$")}}
}

// dockerSocket marks requests to the container engine, which has full control of the host.
func dockerSocket(t *trace.Trace, c *trace.Command, o *flags.Options, sends bool) {
	for _, v := range o.Values("unix-socket abstract-unix-socket") {
		self.MarkLocalSocket(t, c, v)
		if (sends || o.Has("X request")) && IsEngineSocket(v.Text) {
			t.Mark(c, "controls the container engine through "+v.Text, effect.ContainerEscape)
		}
	}
}

// IsEngineSocket reports whether a path is the socket of a container engine.
func IsEngineSocket(path string) bool {
	return strings.HasSuffix(path, "docker.sock") || strings.HasSuffix(path, "containerd.sock") ||
		strings.HasSuffix(path, "podman.sock") || strings.HasSuffix(path, "crio.sock")
}

const wgetValues = flags.Abbreviates + "O o a P U T t i e Q l A R D X B w " +
	"output-document output-file append-output directory-prefix user-agent timeout tries input-file execute quota level " +
	"accept reject domains post-data post-file body-data body-file method header user password http-user http-password " +
	"referer load-cookies save-cookies ca-certificate certificate private-key base wait use-askpass cut-dirs limit-rate " +
	"waitretry"

// The function wget analyzes the program wget, which writes responses to files and sends data.
func wget(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), wgetValues)
	if commands := o.Values("e execute"); len(commands) > 0 {
		// A line of .wgetrc has the name of a long option: output_document = x.
		args := slices.Clip(c.Args())
		for _, v := range commands {
			name, value, _ := strings.Cut(v.Text, "=")
			name = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "_", "-")
			v.Text = "--" + strings.Replace(name, "logfile", "output-file", 1) + "=" + strings.TrimSpace(value)
			args = append(args, v)
		}
		o = flags.Parse(args, wgetValues)
	}
	if len(o.Operands) == 0 && !o.Has("i input-file") {
		return trace.Nothing()
	}
	taint, sends := wgetData(t, c, &o)
	t.RunTexts(c, o.Values("use-askpass"))
	for _, u := range o.Operands {
		if !t.Spend(len(o.Flags) * stepsOfFlag) {
			break
		}
		host := trace.HostOf(u.Text)
		program.Download(t, c, host)
		body := trace.JoinAll(o.Values("post-data body-data"))
		self.MarkServerRequest(t, c, trace.FirstText(o.Values("method")), u.Text, body, sends)
		r := Request{
			Method: trace.FirstText(o.Values("method")), URL: u.Text, Body: body,
			SignedIn: o.Has("header password http-password"),
		}
		if r.Method == "" && sends {
			r.Method = "POST"
		}
		r.Mark(t, c)
		if all := taint | u.Taint; sends || all.IsPrivate() {
			program.Upload(t, c, host, all)
		}
	}
	t.WriteAll(c, o.Values("o output-file a append-output save-cookies"))
	return wgetOutput(t, c, &o)
}

// wgetData returns the taint of the data that wget sends, which says where the data comes from. It also reports whether
// wget sends any data.
func wgetData(t *trace.Trace, c *trace.Command, o *flags.Options) (trace.Taint, bool) {
	literal := o.Values("post-data body-data")
	files := o.Values("post-file body-file")
	taint := TaintOf(literal) | taintOfHeaders(o)
	for _, v := range o.Values("load-cookies") {
		taint |= t.ReadFlow(v, c.Scope, c.Span).Taint
	}
	for _, v := range files {
		taint |= program.Attached(t, c, v.Text, v)
	}
	return taint, len(literal)+len(files) > 0
}

func wgetOutput(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if o.Has("spider") {
		return trace.Nothing()
	}
	if vs := o.Values("O output-document"); len(vs) > 0 {
		if vs[0].Text == "-" || vs[0].Text == "/dev/stdout" {
			return trace.Flow{Taint: trace.FromNetwork}
		}
		program.Saved(t, c, vs[0])
		return trace.Nothing()
	}
	dir := ""
	if vs := o.Values("P directory-prefix"); len(vs) > 0 {
		dir = strings.TrimSuffix(vs[0].Text, "/") + "/"
	}
	for _, u := range o.Operands {
		program.Saved(t, c, namedAfter(u, dir))
	}
	return trace.Nothing()
}

// The function httpie analyzes the program HTTPie, which sends the fields and files in its operands: name=value,
// name=@file, @file.
func httpie(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"o a A s p output auth auth-type session style print timeout proxy verify cert cert-key "+
		"raw bearer")
	operands, method := o.Operands, ""
	if first := strings.ToUpper(o.Word(0)); first == words.Among(first, "GET POST PUT PATCH DELETE HEAD OPTIONS") &&
		len(operands) > 1 {
		method, operands = first, operands[1:]
	}
	if len(operands) == 0 {
		return trace.Nothing()
	}
	host := words.OrElse(trace.HostOf(operands[0].Text), "localhost")
	taint := operands[0].Taint | c.In.Taint | TaintOf(o.Values("raw"))
	sends := c.In.Text != "" || c.In.Taint != 0
	for _, v := range operands[1:] {
		sends = true
		if i := strings.IndexAny(v.Text, ":="); i >= 0 && v.Text[i] == ':' {
			v.Taint &^= trace.FromVariables // a header, in which variables are allowed
		}
		taint |= v.Taint
		name, file, ok := strings.Cut(v.Text, "@")
		if ok && (strings.HasSuffix(name, "=") || strings.HasSuffix(name, ":") || !strings.ContainsAny(name, "=:")) {
			taint |= program.Attached(t, c, file, v)
		}
	}
	if o.HasWhole("offline") && !strings.Contains(trace.JoinAll(c.Args()), "--no-o") { // only prints the request
		return trace.Flow{Taint: trace.FromProgram | taint}
	}
	program.Download(t, c, host)
	self.MarkServerRequest(t, c, method, operands[0].Text, "", method == "" && sends)
	if method == "" && sends {
		method = "POST"
	}
	r := Request{
		Method: method, URL: operands[0].Text, Body: trace.JoinAll(operands[1:]),
		SignedIn: len(operands) > 1 || o.Has("auth a A"),
	}
	r.Mark(t, c)
	if sends || taint.IsPrivate() {
		program.Upload(t, c, host, taint)
	}
	if vs := o.Values("o output"); len(vs) > 0 {
		program.Saved(t, c, vs[0])
		return trace.Nothing()
	}
	if o.Has("d download") {
		program.Saved(t, c, namedAfter(operands[0], ""))
		return trace.Nothing()
	}
	return trace.Flow{Taint: trace.FromNetwork}
}

func downloader(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "o d x s j k i n out dir split max-connection-per-server input-file output")
	dir := ""
	if vs := o.Values("d dir"); len(vs) > 0 {
		dir = strings.TrimSuffix(vs[0].Text, "/") + "/"
	}
	for _, u := range o.Operands {
		program.Download(t, c, trace.HostOf(u.Text))
		to := namedAfter(u, dir)
		if vs := o.Values("o out output"); len(vs) > 0 {
			to = vs[0]
			to.Text = dir + to.Text
		}
		program.Saved(t, c, to)
	}
	return trace.Nothing()
}

func textBrowser(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "width cols o")
	for _, u := range o.Operands {
		if strings.Contains(u.Text, "://") || u.Taint.IsPrivate() {
			program.Download(t, c, trace.HostOf(u.Text))
			if u.Taint.IsPrivate() {
				program.Upload(t, c, trace.HostOf(u.Text), u.Taint)
			}
		}
	}
	return trace.Flow{Taint: trace.FromNetwork}
}
