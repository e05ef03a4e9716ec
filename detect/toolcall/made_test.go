package toolcall

import (
	"strings"
	"testing"
)

// TestACallMayDeleteFoldersThatItHasMade runs commands in a project that has no folder whose name begins with "new".
// All other files exist.
func TestACallMayDeleteFoldersThatItHasMade(t *testing.T) {
	env := tableEnv()
	env.Missing = func(path string) bool { return strings.HasPrefix(path, env.Root+"/new") }
	for _, c := range []tableCase{
		{Command: "mkdir -p new && openssl req -x509 -nodes -keyout new/dev.key -out new/dev.crt; rm -r new", None: true},
		{Command: "mkdir -p new/deep && cp src/a.ts new/deep && rm -rf new", None: true},
		{Command: "mkdir new && touch new/x && rm -rf new/x new", None: true},
		{Command: "rm -rf report_files", None: true},
		{Command: "rm -rf new_files", Events: []string{"destructive_op"}},
		{Command: "mkdir -p lib && rm -r lib", Events: []string{"destructive_op"}},
		{Command: "mkdir -p lib/new && rm -r lib", Events: []string{"destructive_op"}},
		{Command: "rm -r new; mkdir new", Events: []string{"destructive_op"}},
		{Command: "mkdir new && mv src new/ && rm -rf new", Events: []string{"destructive_op"}},
		{Command: "mkdir new && rm -rf new src", Events: []string{"destructive_op"}},
		{Command: "mkdir new && rm -rf new/../src", Events: []string{"destructive_op"}},
	} {
		checkCase(t, c, AnalyzeCommand(env, c.Command))
	}
}

// TestAKeyThatTheCallHasMadeIsNoSecret runs commands on a machine on which no file exists except in the folder "old".
func TestAKeyThatTheCallHasMadeIsNoSecret(t *testing.T) {
	env := tableEnv()
	env.Missing = func(path string) bool { return !strings.Contains(path, "/old") }
	for _, c := range []tableCase{
		{Command: "D=$(mktemp -d); openssl genpkey -algorithm ed25519 -out $D/k.pem; cat $D/k.pem; rm -r $D", None: true},
		{Command: "mkdir -p certs; openssl genrsa -out certs/dev.key 2048; cat certs/dev.key", None: true},
		{Command: "T=$(mktemp -d) && keytool -genkeypair -alias dev -keystore $T/dev.p12 && keytool -list -keystore $T/dev.p12; " +
			"keytool -delete -alias dev -keystore $T/dev.p12; rm -rf $T", None: true},
		{Command: "openssl genrsa -out old/k.pem && cat old/k.pem", Events: []string{"secret_access"}},
		{Command: "keytool -genkeypair -keystore old/k.p12 && keytool -list -keystore old/k.p12", Events: []string{"secret_access"}},
		{Command: "cp -r old/. .; openssl genrsa -out k.pem; cat k.pem", Events: []string{"secret_access"}},
		{Command: "git clone x:y/z web; openssl genrsa -out web/k.pem; cat web/k.pem", Events: []string{"secret_access"}},
		{Command: "keytool -importkeystore -srckeystore a -destkeystore b.p12; keytool -genkeypair -keystore b.p12; " +
			"cat b.p12", Events: []string{"secret_access"}},
		{Command: "openssl genrsa -out $X/k.pem; cat $X/k.pem", Events: []string{"secret_access"}},
	} {
		checkCase(t, c, AnalyzeCommand(env, c.Command))
	}
}
