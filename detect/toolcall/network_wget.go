package toolcall

import "strings"

const wgetValues = "O o a P U T t i e Q l A R D X B w " +
	"output-document output-file append-output directory-prefix user-agent timeout tries input-file execute quota level accept reject domains " +
	"post-data post-file body-data body-file method header user password http-user http-password referer load-cookies save-cookies " +
	"ca-certificate certificate private-key base wait use-askpass cut-dirs limit-rate waitretry"

// wget fetches addresses into files.
func wget(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), wgetValues)
	if len(o.operands) == 0 && !o.has("i input-file") {
		return nothing()
	}
	t, sends := a.wgetData(c, &o)
	for _, v := range o.values("use-askpass") {
		a.runText(c, v)
	}
	for _, u := range o.operands {
		host := hostOf(u.text)
		a.download(c, host)
		a.ownServer(c, firstText(o.values("method")), u.text, joinAll(o.values("post-data body-data")), sends)
		if all := t | u.taint; sends || all.isPrivate() {
			a.upload(c, host, all)
		}
	}
	for _, v := range o.values("o output-file a append-output save-cookies") {
		a.write(v, c.sc, c.span)
	}
	return a.wgetOutput(c, &o)
}

func (a *analyzer) wgetData(c *command, o *options) (taint, bool) {
	literal := o.values("post-data body-data")
	files := o.values("post-file body-file")
	t := taintOf(literal) | taintOf(o.values("header U user-agent referer"))
	for _, v := range files {
		t |= a.attached(c, v.text, v)
	}
	return t, len(literal)+len(files) > 0
}

func (a *analyzer) wgetOutput(c *command, o *options) flow {
	if o.has("spider") {
		return nothing()
	}
	if vs := o.values("O output-document"); len(vs) > 0 {
		if vs[0].text == "-" || vs[0].text == "/dev/stdout" {
			return flow{taint: fromNetwork}
		}
		a.saved(c, vs[0])
		return nothing()
	}
	dir := ""
	if vs := o.values("P directory-prefix"); len(vs) > 0 {
		dir = strings.TrimSuffix(vs[0].text, "/") + "/"
	}
	for _, u := range o.operands {
		a.saved(c, namedAfter(u, dir))
	}
	return nothing()
}

// httpie sends fields and files that are written as operands: name=value, name=@file, @file.
func httpie(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "o a A s p b output auth auth-type session style print timeout proxy verify cert cert-key raw bearer")
	operands, method := o.operands, ""
	if len(operands) > 0 && operands[0].text != "" && strings.ToUpper(operands[0].text) == operands[0].text && !strings.ContainsAny(operands[0].text, ".:/$") {
		method, operands = operands[0].text, operands[1:]
	}
	if len(operands) == 0 {
		return nothing()
	}
	host := orElse(hostOf(operands[0].text), "localhost")
	t := operands[0].taint | c.in.taint | taintOf(o.values("raw"))
	sends := c.in.text != "" || c.in.taint != 0
	for _, v := range operands[1:] {
		sends = true
		t |= v.taint
		if name, file, ok := strings.Cut(v.text, "@"); ok && (name == "" || strings.HasSuffix(name, "=") || strings.HasSuffix(name, ":") || !strings.ContainsAny(name, "=:")) {
			t |= a.attached(c, file, v)
		}
	}
	a.download(c, host)
	a.ownServer(c, method, operands[0].text, "", method == "" && sends)
	if sends || t.isPrivate() {
		a.upload(c, host, t)
	}
	if vs := o.values("o output"); len(vs) > 0 {
		a.saved(c, vs[0])
		return nothing()
	}
	if o.has("d download") {
		a.saved(c, namedAfter(operands[0], ""))
		return nothing()
	}
	return flow{taint: fromNetwork}
}

// downloader is aria2c and axel.
func downloader(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "o d x s j k i n out dir split max-connection-per-server input-file output")
	dir := ""
	if vs := o.values("d dir"); len(vs) > 0 {
		dir = strings.TrimSuffix(vs[0].text, "/") + "/"
	}
	for _, u := range o.operands {
		a.download(c, hostOf(u.text))
		to := namedAfter(u, dir)
		if vs := o.values("o out output"); len(vs) > 0 {
			to = vs[0]
			to.text = dir + to.text
		}
		a.saved(c, to)
	}
	return nothing()
}

func textBrowser(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "width cols o")
	for _, u := range o.operands {
		if strings.Contains(u.text, "://") || u.taint.isPrivate() {
			a.download(c, hostOf(u.text))
			if u.taint.isPrivate() {
				a.upload(c, hostOf(u.text), u.taint)
			}
		}
	}
	return flow{taint: fromNetwork}
}
