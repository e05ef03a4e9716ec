package network

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

const curlValues = "o d F T H u X A b c e m x w K D E r C y Y z U P Q t " +
	"output data data-raw data-binary data-urlencode data-ascii json form form-string upload-file header user request user-agent cookie " +
	"cookie-jar referer max-time connect-timeout proxy proxy-user write-out config dump-header cert key cacert capath retry retry-delay " +
	"retry-max-time url url-query output-dir interface resolve connect-to unix-socket abstract-unix-socket socks5 socks5-hostname " +
	"limit-rate range trace trace-ascii stderr continue-at time-cond tls-max ciphers oauth2-bearer aws-sigv4 noproxy max-redirs"

// curl fetches addresses, writes what comes to files or prints it, and sends data.
func curl(a *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), curlValues)
	if o.Has("help h version V manual M") && len(o.Operands) == 0 {
		return trace.Nothing()
	}
	urls := append(o.Values("url"), o.Operands...)
	data, sends := curlData(a, c, &o)
	data |= curlFiles(a, c, &o)
	out := trace.Flow{}
	for _, u := range urls {
		if strings.HasPrefix(u.Text, "file://") {
			out = a.ReadFlow(u, c.Scope, c.Span)
			continue
		}
		out.Taint |= trace.FromNetwork
		host := trace.HostOf(u.Text)
		program.Download(a, c, host)
		self.OwnServer(a, c, trace.FirstText(o.Values("X request")), u.Text, trace.JoinAll(o.Values("d data data-raw data-binary json")), sends)
		searchOrders(a, c, &o, u.Text)
		if foreignSecret(u.Text, host) || foreignSecret(trace.JoinAll(o.Values("d data data-raw F form data-urlencode json data-binary")), host) {
			data |= trace.FromSecret
		}
		if t := data | u.Taint | TaintOf(o.Values("H header A user-agent e referer b cookie u user url-query")); sends || t.IsPrivate() {
			program.Upload(a, c, host, t)
		}
	}
	dockerSocket(a, c, &o, sends)
	if curlOutput(a, c, &o, urls) {
		return trace.Nothing()
	}
	return out
}

func TaintOf(vs []trace.Value) trace.Taint {
	var t trace.Taint
	for _, v := range vs {
		t |= v.Taint
	}
	return t
}

// curlFiles notes the files that curl writes beside its output, and the configuration and headers that it reads; the
// headers are sent.
func curlFiles(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Taint {
	for _, v := range o.Values("D dump-header c cookie-jar trace trace-ascii stderr") {
		if v.Text != "-" {
			t.Write(v, c.Scope, c.Span)
		}
	}
	for _, v := range o.Values("K config") {
		if v.Text != "-" {
			t.Read(v, c.Scope, c.Span)
		}
	}
	var sent trace.Taint
	for _, v := range o.Values("H header") {
		if name, ok := strings.CutPrefix(v.Text, "@"); ok {
			sent |= program.Attached(t, c, name, v)
		}
	}
	return sent
}

// curlData is where the data that curl sends comes from, and whether it sends any.
func curlData(a *trace.Trace, c *trace.Command, o *flags.Options) (trace.Taint, bool) {
	var t trace.Taint
	sends := false
	for _, f := range o.Flags {
		if !f.Has {
			continue
		}
		text := f.Value.Text
		switch f.Name {
		case words.Among(f.Name, "d data data-binary data-ascii json"):
			sends = true
			t |= f.Value.Taint
			if name, ok := strings.CutPrefix(text, "@"); ok {
				t |= program.Attached(a, c, name, f.Value)
			}
		case "data-urlencode":
			sends = true
			t |= f.Value.Taint
			if name, file, ok := strings.Cut(text, "@"); ok && !strings.Contains(name, "=") {
				t |= program.Attached(a, c, file, f.Value)
			}
		case "F", "form":
			sends = true
			t |= f.Value.Taint | formFile(a, c, f.Value)
		case "data-raw", "form-string":
			sends = true
			t |= f.Value.Taint
		case "T", "upload-file":
			sends = true
			t |= program.Attached(a, c, text, f.Value)
		case "X", "request":
			sends = sends || text == "POST" || text == "PUT" || text == "PATCH"
		}
	}
	return t, sends
}

// formFile is name=@file;type=… or name=<file.
func formFile(t *trace.Trace, c *trace.Command, v trace.Value) trace.Taint {
	_, content, ok := strings.Cut(v.Text, "=")
	if !ok || content == "" || content[0] != '@' && content[0] != '<' {
		return 0
	}
	file, _, _ := strings.Cut(content[1:], ";")
	return program.Attached(t, c, file, v)
}

// curlOutput notes the files that the answers are written to; it is false when they are printed.
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

// namedAfter is the file that a download is written to when only its address is given.
func namedAfter(u trace.Value, dir string) trace.Value {
	address, _, _ := strings.Cut(u.Text, "?")
	address = words.AfterLast(address, "://")
	name := "index.html"
	if i := strings.LastIndexByte(address, '/'); i >= 0 && i+1 < len(address) {
		name = address[i+1:]
	}
	return trace.Value{Text: dir + name, Quality: trace.Quality{Partial: u.Partial && strings.Contains(name, "$")}}
}

// dockerSocket finds requests to the container engine, which can do anything on the host.
func dockerSocket(t *trace.Trace, c *trace.Command, o *flags.Options, sends bool) {
	for _, v := range o.Values("unix-socket abstract-unix-socket") {
		self.LocalSocket(t, c, v)
		if sends && IsEngineSocket(v.Text) {
			t.Mark(c, "commands the container engine through "+v.Text, effect.ContainerEscape)
		}
	}
}

func IsEngineSocket(path string) bool {
	return strings.HasSuffix(path, "docker.sock") || strings.HasSuffix(path, "containerd.sock") || strings.HasSuffix(path, "podman.sock") || strings.HasSuffix(path, "crio.sock")
}

const wgetValues = "O o a P U T t i e Q l A R D X B w " +
	"output-document output-file append-output directory-prefix user-agent timeout tries input-file execute quota level accept reject domains " +
	"post-data post-file body-data body-file method header user password http-user http-password referer load-cookies save-cookies " +
	"ca-certificate certificate private-key base wait use-askpass cut-dirs limit-rate waitretry"

// wget fetches addresses into files.
func wget(a *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), wgetValues)
	if len(o.Operands) == 0 && !o.Has("i input-file") {
		return trace.Nothing()
	}
	t, sends := wgetData(a, c, &o)
	for _, v := range o.Values("use-askpass") {
		a.RunText(c, v)
	}
	for _, u := range o.Operands {
		host := trace.HostOf(u.Text)
		program.Download(a, c, host)
		self.OwnServer(a, c, trace.FirstText(o.Values("method")), u.Text, trace.JoinAll(o.Values("post-data body-data")), sends)
		if all := t | u.Taint; sends || all.IsPrivate() {
			program.Upload(a, c, host, all)
		}
	}
	for _, v := range o.Values("o output-file a append-output save-cookies") {
		a.Write(v, c.Scope, c.Span)
	}
	return wgetOutput(a, c, &o)
}

func wgetData(a *trace.Trace, c *trace.Command, o *flags.Options) (trace.Taint, bool) {
	literal := o.Values("post-data body-data")
	files := o.Values("post-file body-file")
	t := TaintOf(literal) | TaintOf(o.Values("header U user-agent referer"))
	for _, v := range files {
		t |= program.Attached(a, c, v.Text, v)
	}
	return t, len(literal)+len(files) > 0
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

// httpie sends fields and files that are written as operands: name=value, name=@file, @file.
func httpie(a *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "o a A s p b output auth auth-type session style print timeout proxy verify cert cert-key raw bearer")
	operands, method := o.Operands, ""
	if len(operands) > 0 && operands[0].Text != "" && strings.ToUpper(operands[0].Text) == operands[0].Text && !strings.ContainsAny(operands[0].Text, ".:/$") {
		method, operands = operands[0].Text, operands[1:]
	}
	if len(operands) == 0 {
		return trace.Nothing()
	}
	host := words.OrElse(trace.HostOf(operands[0].Text), "localhost")
	t := operands[0].Taint | c.In.Taint | TaintOf(o.Values("raw"))
	sends := c.In.Text != "" || c.In.Taint != 0
	for _, v := range operands[1:] {
		sends = true
		t |= v.Taint
		if name, file, ok := strings.Cut(v.Text, "@"); ok && (name == "" || strings.HasSuffix(name, "=") || strings.HasSuffix(name, ":") || !strings.ContainsAny(name, "=:")) {
			t |= program.Attached(a, c, file, v)
		}
	}
	program.Download(a, c, host)
	self.OwnServer(a, c, method, operands[0].Text, "", method == "" && sends)
	if sends || t.IsPrivate() {
		program.Upload(a, c, host, t)
	}
	if vs := o.Values("o output"); len(vs) > 0 {
		program.Saved(a, c, vs[0])
		return trace.Nothing()
	}
	if o.Has("d download") {
		program.Saved(a, c, namedAfter(operands[0], ""))
		return trace.Nothing()
	}
	return trace.Flow{Taint: trace.FromNetwork}
}

// downloader is aria2c and axel.
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
