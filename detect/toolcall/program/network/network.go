// Package network analyzes programs that connect to other machines: curl, wget, ssh, rsync, netcat, mail.
package network

import (
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Handler returns the handler of a program that exchanges data with other machines. For any other program, it returns
// nil.
func Handler(name string) trace.Handler {
	switch name {
	case "curl", "curlie":
		return curl
	case "wget", "wget2":
		return wget
	case words.Among(name, "http https httpie xh xhs"):
		return httpie
	case "aria2c", "axel":
		return downloader
	case "lynx", "w3m", "links", "elinks":
		return textBrowser
	case words.Among(name, "nc ncat netcat nc.openbsd nc.traditional"):
		return netcat
	case "socat":
		return socat
	case "telnet":
		return telnet
	case "openssl":
		return openssl
	case "ssh", "autossh", "mosh", "sshpass":
		return ssh
	case "scp":
		return scp
	case "rsync":
		return rsync
	case words.Among(name, "sftp ftp lftp tftp ncftp smbclient"):
		return transfer
	case "rclone":
		return rclone
	case words.Among(name, "dig nslookup host ping ping6 drill whois traceroute"):
		return lookupHost
	case words.Among(name, "mail mailx mutt sendmail msmtp swaks"):
		return mail
	case "croc", "wormhole", "pastebinit", "transfer.sh":
		return sendByCode
	}
	return connectionHandler(name)
}

// lookupHost analyzes programs that look up a host name. A secret in the host name reaches the server that answers the
// look-up.
func lookupHost(t *trace.Trace, c *trace.Command) trace.Flow {
	for _, v := range c.Args() {
		if v.Taint.IsPrivate() {
			program.Upload(t, c, "", v.Taint)
			break
		}
	}
	return trace.Flow{Taint: trace.FromProgram | trace.FromNetwork}
}

// The function mail analyzes mail programs, which send their input and the attached files.
func mail(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "s a A c b r f attach attachment body header server to from subject")
	taint := c.In.Taint
	for _, v := range o.Values("a A attach attachment body") {
		name := strings.TrimPrefix(v.Text, "@")
		if strings.ContainsAny(name, " :") {
			continue
		}
		taint |= program.Attached(t, c, name, v)
	}
	for _, v := range c.Args() {
		taint |= v.Taint
	}
	program.Upload(t, c, trace.HostOf(trace.FirstText(o.Values("server"))), taint)
	return trace.Nothing()
}

// sendByCode analyzes programs that send a file to anyone who knows a code.
func sendByCode(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	if len(args) > 0 && (args[0].Text == "receive" || args[0].Text == "recv") {
		program.Download(t, c, "")
		return trace.Nothing()
	}
	if len(args) > 0 && args[0].Text == "send" {
		args = args[1:]
	}
	taint := c.In.Taint
	o := flags.Parse(args, "")
	for _, v := range o.Operands {
		taint |= program.Attached(t, c, v.Text, v)
	}
	program.Upload(t, c, "", taint)
	return trace.Nothing()
}
