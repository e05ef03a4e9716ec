package trace

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/words"
	"guardrails/guideline/pattern"
	"guardrails/internal/product"
)

// markNames records what the name of a path shows: that the file is secret, belongs to the guard, or runs automatically
// later.
func (p *Place) markNames(name string) {
	lower := strings.ToLower(name)
	p.Secret = isSecret(lower)
	p.Program = isGuardProgram(lower)
	p.Guard = p.Program || isGuardFile(lower)
	p.Startup = isStartup(name, lower)
}

// IsSecret reports whether a path usually contains keys, tokens or passwords.
func IsSecret(name string) bool { return isSecret(strings.ToLower(name)) }

// isSecret is IsSecret for a path in lower case.
func isSecret(name string) bool {
	base := BaseName(name)
	if strings.ContainsAny(base, "*?[") && globMatchesSecret(base) {
		return true
	}
	return (secretName(base) || secretFolder(name, base)) && !isFixture(name)
}

// isFixture reports whether a file belongs to the test data of a project. The secrets in such a file protect nothing
// real.
func isFixture(name string) bool {
	return (InFolder(name, "fixtures") || InFolder(name, "testdata")) && !strings.Contains(name, "..")
}

// globMatchesSecret reports whether a shell glob matches a well-known file with secrets. It returns false for a glob
// that begins with a star.
func globMatchesSecret(base string) bool {
	g, err := pattern.CompileGlob(base)
	if err != nil || strings.HasPrefix(base, "*") {
		return false
	}
	for _, name := range [...]string{
		".env", ".env.local", "id_rsa", "id_ed25519", "shadow", ".netrc", ".npmrc", ".pypirc", ".git-credentials",
		"credentials.json",
	} {
		if g.Match(name) {
			return true
		}
	}
	return false
}

// secretName reports whether a file with this name contains secrets. The name is in lower case.
func secretName(base string) bool {
	if base == ".env" || strings.HasPrefix(base, ".env.") || strings.HasPrefix(base, ".env*") ||
		base == ".dev.vars" || strings.HasPrefix(base, ".dev.vars.") {
		return !isSample(base)
	}
	if stem, ok := strings.CutSuffix(base, ".env"); ok {
		last := stem[strings.LastIndexAny(stem, ".-_")+1:]
		return last == "" || last != words.Among(last, "example sample template tmpl dist defaults")
	}
	if base == words.Among(base, ".netrc _netrc .pgpass .my.cnf .npmrc .pypirc .yarnrc.yml .git-credentials .dockercfg "+
		".htpasswd .vault-token .bash_history .zsh_history .mysql_history .psql_history .python_history kubeconfig shadow "+
		"gshadow master.key sudoers wallet.dat login.keychain-db cookies.sqlite key4.db logins.json credentials.json "+
		"secrets.json secrets.yml secrets.yaml secrets.toml secret.key private.key privatekey service-account.json "+
		"serviceaccount.json credentials.tfrc.json terraform.tfstate terraform.tfvars .dockerconfigjson .s3cfg .boto "+
		".credentials.json .claude.json auth.json .terraformrc application_default_credentials.json oauth_creds.json .databrickscfg .mylogin.cnf "+
		".cdsapirc .vault_pass .ansible_vault_pass") {
		return true
	}
	for _, prefix := range [...]string{
		"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519",
		"service-account", "service_account",
	} {
		if strings.HasPrefix(base, prefix) {
			return !strings.Contains(base, ".pub")
		}
	}
	for _, suffix := range [...]string{".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk"} {
		if name, ok := strings.CutSuffix(base, suffix); ok {
			return !strings.Contains(base, "pub") && base != "debug.keystore" && (suffix != ".pem" || !isCertificate(name))
		}
	}
	return false
}

// isCertificate reports whether a PEM file with this name usually contains only public certificates. The given name has
// no ending.
func isCertificate(name string) bool {
	return name == words.Among(name, "cert fullchain chain ca cacert ca-cert ca-bundle ca-chain root-ca rootca global-bundle") ||
		strings.HasSuffix(name, "-cert")
}

// isSample reports whether a file such as .env.example is an example without secrets. The secrets in .env.vault are
// encrypted.
func isSample(base string) bool {
	return base == ".env.vault" || words.OneOf(base[strings.LastIndexByte(base, '.')+1:], "example sample template "+
		"dist schema defaults tmpl")
}

// isSettings reports whether a file is .env or has one of the usual names .env.NAME. Each line of such a file is
// probably a setting such as NAME=value.
func isSettings(name string) bool {
	return words.OneOf(BaseName(name), ".env .env.local .env.development .env.dev .env.production .env.prod .env.staging "+
		".env.stage .env.test .env.ci .env.development.local .env.production.local .env.staging.local .env.test.local")
}

// nameCommands lists the commands that print only the names of settings. The commands in the list do not print the
// names of their input files. In some lines, the last word is a letter that stands for a script. The letter "s" stands
// for a script of sed, "a" for a script of awk, "g" for a pattern of grep, and "o" for a pattern of "grep -o".
const nameCommands = `cut -d= -f1
cut -d = -f1
cut -d= -f 1
cut -d = -f 1
cut -f1 -d=
cut -f 1 -d =
wc -l
sed s
sed -E s
awk -F= a
awk -F = a
gawk -F= a
mawk -F= a
grep g
grep -E g
egrep g
grep -o o
grep -oE o
grep -Eo o
grep -o -E o`

// maxNameFiles is the maximum number of input files of a command that prints names.
const maxNameFiles = 16

// ShowsNames reports whether a command prints only the names of settings, or only settings that are not secrets. The
// settings are in the files that the command reads, or in its input. The command must begin with the words in a line of
// nameCommands. All its other arguments must be files such as .env. Other files are not accepted, because their lines
// may have no equals sign, and commands such as cut print such lines completely.
func ShowsNames(argv []Value, sc *Scope) bool {
	for _, line := range strings.Split(nameCommands, "\n") {
		if n := nameWords(argv, strings.Fields(line)); n > 0 {
			return areSettings(argv[n:]) && !IsRedefined(argv[0].Text, sc)
		}
	}
	return false
}

// nameWords returns the number of words in a line of nameCommands. If the command does not begin with the words of this
// line, nameWords returns 0.
func nameWords(argv []Value, line []string) int {
	for i, word := range line {
		if i == len(argv) || argv[i].Partial || argv[i].Text != word && (i == 0 || !isNameScript(word, argv[i].Text)) {
			return 0
		}
	}
	return len(line)
}

// isNameScript reports whether a script prints only names. The parameter "letter" says which program runs the script.
// The letters have the same meaning as in nameCommands.
func isNameScript(letter, script string) bool {
	switch letter {
	case "s":
		text, replaces := strings.CutPrefix(script, "s/=.*/")
		text = strings.TrimSuffix(text, "g")
		return replaces && strings.IndexByte(text, '/') == len(text)-1 && !strings.ContainsAny(text, "&\\\n")
	case "a":
		pattern, prints := strings.CutSuffix(strings.ReplaceAll(script, " ", ""), "{print$1}")
		return prints && (pattern == "" || words.OneOf(pattern, "/=/ /^[A-Z]/ /^[A-Z_]/ /^[A-Z_]+=/ /^[A-Z0-9_]+=/ !/^#/ /^[^#]/"))
	case "g":
		return onlyHarmless(script)
	case "o":
		return words.OneOf(script, "^[A-Z_]* ^[A-Z_]+ ^[A-Z0-9_]* ^[A-Z0-9_]+ ^[A-Z_0-9]* ^[A-Z_0-9]+ ^[A-Za-z_]* ^[^=]* ^[^=]+")
	}
	return false
}

// areSettings reports whether all arguments are files with settings, and not options or assignments.
func areSettings(files []Value) bool {
	for i := range files {
		text := files[i].Text
		if i == maxNameFiles || files[i].Partial || strings.HasPrefix(text, "-") || strings.Contains(text, "=") || !isSettings(text) {
			return false
		}
	}
	return true
}

// IsRedefined reports whether the call has changed what a command word stands for. The word may then run a different
// program than usual.
func IsRedefined(name string, sc *Scope) bool {
	_, isFunction := sc.Funcs.Find(name)
	_, isAlias := sc.Aliases.Find(name)
	for _, variable := range [...]string{"PATH", "path", "BASH_CMDS", "commands"} {
		_, set := sc.Vars.Find(variable)
		isAlias = isAlias || set
	}
	return isFunction || isAlias
}

// ForgiveReads removes the event for reading a secret. ForgiveReads goes through all effects from the index in the
// parameter "begin". If the parameter "onlyNames" is set, it removes the event only from reads of files such as .env,
// and only if the call itself has not written the file. The output of the command keeps its taint.
func (t *Trace) ForgiveReads(begin int, onlyNames bool) {
	for i := begin; i < len(t.Effects); i++ {
		if e := &t.Effects[i]; !onlyNames || e.Kind == effect.Read && isSettings(e.Path) && !t.Writes(e.Path, begin) {
			e.Drop(effect.SecretAccess)
		}
	}
}

// onlyHarmless reports whether a grep pattern finds only settings whose names show that they are not secrets. Each
// alternative of the pattern must be a whole name.
func onlyHarmless(pattern string) bool {
	pattern = strings.ReplaceAll(pattern, `\|`, "|")
	if group, ok := strings.CutPrefix(pattern, "^("); ok {
		if group, ok = strings.CutSuffix(group, ")="); !ok {
			return false
		}
		pattern = "^" + strings.ReplaceAll(group, "|", "=|^") + "="
	}
	for _, part := range strings.Split(pattern, "|") {
		name, begins := strings.CutPrefix(part, "^")
		name, ends := strings.CutSuffix(name, "=")
		if name != "" && words.OneOf(name, "NODE_ENV APP_ENV RAILS_ENV LOG_LEVEL") {
			continue
		}
		last := words.AfterLast(name, "_")
		if !begins || !ends || !words.OneOf(last, "ENV PORT HOST DEBUG LEVEL VERSION REGION MODE TZ LANG ENVIRONMENT") ||
			strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" || IsSecretVariable(name) {
			return false
		}
	}
	return true
}

// secretFolder reports whether a path is a secret file in a folder of secrets. It returns false for the public files in
// such a folder.
func secretFolder(name, base string) bool {
	if strings.HasPrefix(name, "/proc/") {
		return base == "environ"
	}
	for _, dir := range [...]string{
		".ssh", ".gnupg", ".aws", ".azure", ".config/gcloud", ".config/gh", ".kube", ".password-store",
		".docker/config.json", ".cargo/credentials", ".gem/credentials", ".m2/settings.xml", ".config/op",
		"library/keychains", ".mozilla", ".config/google-chrome", "secrets", ".secrets", "etc/ssl/private",
		".config/rclone", ".terraform.d", ".local/share/keyrings", ".config/containers/auth.json", "etc/kubernetes",
		"run/secrets", ".oci", ".config/solana", ".ethereum/keystore", "state/guardrails",
		"doctl/config.yaml", "hcloud/cli.toml", ".fly/config.yml", "netlify/config.json", ".netlify/config.json",
		"configstore/firebase-tools.json", ".config/stripe/config.toml", ".railway/config.json", ".config/hub",
		"github-copilot/hosts.json", "github-copilot/apps.json", "huggingface/token", "sops/age", ".config/argocd/config",
		"pypoetry/auth.toml", ".dbt/profiles.yml", ".gradle/gradle.properties", ".snowflake", ".huggingface/token",
		".nuget/nuget/nuget.config", "rancher/k3s/k3s.yaml",
		".config/chromium", ".config/bravesoftware", ".config/microsoft-edge", ".config/vivaldi", ".config/opera",
		".config/slack", ".config/discord", ".config/signal", "application support/google/chrome",
		"application support/bravesoftware", "application support/microsoft edge", "application support/firefox",
		"application support/chromium", "application support/vivaldi", "application support/slack",
		"application support/discord", "application support/signal",
		"google/chrome/user data", "microsoft/edge/user data", "mozilla/firefox/profiles",
	} {
		if InFolder(name, dir) {
			return secretIn(dir, base)
		}
	}
	return false
}

// secretIn reports whether a file in a folder of secrets is itself secret.
func secretIn(dir, base string) bool {
	switch dir {
	case ".ssh":
		return base != "known_hosts" && base != "config" && base != "authorized_keys" && !strings.HasSuffix(base, ".pub")
	case "state/guardrails": // the folder contains the token
		g, err := pattern.CompileGlob(base)
		return base == "guardrails" || err == nil && g.Match("token")
	case ".config/slack", ".config/discord", "application support/slack", "application support/discord":
		return base != "settings.json" && !strings.HasSuffix(base, ".log")
	case "secrets", ".secrets":
		if strings.Contains(base, ".enc.") || strings.Contains(base, ".sops.") {
			return false // the file is encrypted, like prod.enc.yaml
		}
		ext := base[strings.LastIndexByte(base, '.')+1:]
		return ext != words.Among(ext, "go py ts js md java rs rb")
	}
	return true
}

// InFolder reports whether the path of a folder ("dir") occurs in a path ("name") as one or more whole elements.
func InFolder(name, dir string) bool {
	i := strings.Index(name, dir)
	for i >= 0 {
		startOK := i == 0 || name[i-1] == '/'
		end := i + len(dir)
		endOK := end == len(name) || name[end] == '/' || strings.HasSuffix(dir, "credentials")
		if startOK && endOK {
			return true
		}
		next := strings.Index(name[i+1:], dir)
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// isGuardFile reports whether a path belongs to the guard, or to the client's settings that call the guard. The path is
// in lower case.
func isGuardFile(name string) bool {
	base := name[strings.LastIndexByte(name, '/')+1:]
	switch {
	case InFolder(name, product.HooksFolder), InFolder(name, product.GuidelinesFolder),
		InFolder(name, product.ConfigFile), InFolder(name, product.PoliciesFile):
		return true
	case InFolder(name, product.ClientFolder) && (words.OneOf(base, "settings.json settings.local.json") ||
		strings.HasPrefix(base, "settings") && strings.ContainsAny(base, openSigns)):
		return true
	case base == product.MCPFile, base == product.ManagedSettingsName,
		base == "scheduled_tasks.json" && InFolder(name, product.ClientFolder):
		return true
	case base == product.DatabaseFile, strings.HasPrefix(base, product.DatabaseFile+"-"):
		return true
	case strings.HasPrefix(name, runtimeFolder) && (name == runtimeFolder || name[len(runtimeFolder)] < 'a' || name[len(runtimeFolder)] > 'z'),
		strings.HasPrefix(name, "/run/user/") && InFolder(name, "guardrails"):
		return true
	case strings.HasPrefix(name, "~/") && (InFolder(name, "share/guardrails") || InFolder(name, "state/guardrails")):
		return true
	}
	return false
}

// The name of the guard's folder in /tmp begins with this text. The number of a user follows it.
const runtimeFolder = "/tmp/" + product.SessionPrefix

// openSigns lists the characters that show that a part of a path is unknown or a glob.
const openSigns = "*?[{$`("

// isGuardProgram reports whether a path is probably an installed program of the guard. The path is in lower case.
func isGuardProgram(name string) bool {
	if base := name[strings.LastIndexByte(name, '/')+1:]; product.IsOwnProgram(base) {
		return InFolder(name, "bin") || strings.Contains(base, "-") || effect.IsTemporaryPath(name)
	}
	return false
}

// ShellStartup lists the usual files in a home folder that bash and zsh run when they start.
const ShellStartup = ".bashrc .zshrc .bash_profile .profile"

// isStartup reports whether a file runs automatically later: at a login, on a schedule, or when a service manager or
// git starts it. The parameter "lower" is the path in lower case.
func isStartup(name, lower string) bool {
	base := BaseName(name)
	if InFolder(lower, "start menu/programs/startup") ||
		strings.HasSuffix(base, ".pth") && (InFolder(lower, "site-packages") || strings.HasPrefix(name, "$")) {
		return true // Python runs the lines of a .pth file that begin with "import"
	}
	if file := BaseName(lower); file == "profile.ps1" || file == "microsoft.powershell_profile.ps1" {
		return true
	}
	if base == words.Among(base, ShellStartup+" .bash_login .bash_logout .zshenv .zprofile .zlogin .kshrc .cshrc .inputrc .xinitrc .xsession .gitconfig authorized_keys authorized_keys2 .envrc config.fish "+
		"rc.local crontab .vimrc .emacs sitecustomize.py usercustomize.py ld.so.preload") {
		return true
	}
	for _, dir := range [...]string{
		".git/hooks", ".git/config", ".husky", ".ssh/rc", ".ssh/environment", ".ssh/config", ".config/systemd",
		"etc/systemd", "etc/cron.d", "etc/cron.daily", "etc/cron.hourly", "etc/profile.d", "library/LaunchAgents",
		"Library/LaunchAgents", "Library/LaunchDaemons", ".config/autostart", "var/spool/cron", "etc/init.d",
		"etc/ld.so.preload", ".config/git/config", ".config/fish/conf.d", ".oh-my-zsh/custom", "etc/udev/rules.d",
		"etc/pam.d", "etc/sudoers.d", ".bashrc.d",
	} {
		if InFolder(name, dir) {
			return true
		}
	}
	return false
}
