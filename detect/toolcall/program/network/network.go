// Package network knows programs that connect to other machines: curl, wget, ssh, rsync, netcat, mail.
package network

import (
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Handler knows the programs that fetch from and send to other machines.
func Handler(name string) trace.Handler {
	switch name {
	case "curl":
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
	case words.Among(name, "sftp ftp lftp tftp ncftp"):
		return transfer
	case "rclone":
		return rclone
	case words.Among(name, "dig nslookup host ping ping6 drill whois traceroute"):
		return lookupHost
	case words.Among(name, "mail mailx mutt sendmail msmtp swaks"):
		return mail
	case "croc", "wormhole", "pastebinit", "transfer.sh":
		return handOver
	}
	return nil
}

// lookupHost is a program that only asks about a name, which is enough to carry a secret out.
func lookupHost(t *trace.Trace, c *trace.Command) trace.Flow {
	for _, v := range c.Args() {
		if v.Taint.IsPrivate() {
			program.Upload(t, c, "", v.Taint)
			break
		}
	}
	return trace.Flow{Taint: trace.FromProgram | trace.FromNetwork}
}

// mail sends its input and the files that are attached.
func mail(a *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "s a A c b r f attach attachment body header server to from subject")
	t := c.In.Taint
	for _, v := range o.Values("a A attach attachment body") {
		name := strings.TrimPrefix(v.Text, "@")
		if strings.ContainsAny(name, " :") {
			continue
		}
		t |= program.Attached(a, c, name, v)
	}
	for _, v := range c.Args() {
		t |= v.Taint
	}
	program.Upload(a, c, trace.HostOf(trace.FirstText(o.Values("server"))), t)
	return trace.Nothing()
}

// handOver is a program that gives a file to anyone who has the code.
func handOver(a *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	if len(args) > 0 && (args[0].Text == "receive" || args[0].Text == "recv") {
		program.Download(a, c, "")
		return trace.Nothing()
	}
	if len(args) > 0 && args[0].Text == "send" {
		args = args[1:]
	}
	t := c.In.Taint
	o := flags.Parse(args, "")
	for _, v := range o.Operands {
		t |= program.Attached(a, c, v.Text, v)
	}
	program.Upload(a, c, "", t)
	return trace.Nothing()
}
