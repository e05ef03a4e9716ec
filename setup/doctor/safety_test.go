package doctor

import (
	"strings"
	"testing"

	"guardrails/config"
)

func TestDoctorSaysThatRecordsForARemoteServerSendNoWebhooks(t *testing.T) {
	on, off := config.Safety{Mode: config.Observe}, config.Safety{Mode: config.Off}
	for _, c := range []struct {
		name   string
		config config.Config
		want   bool
	}{
		{"a store", config.Config{Safety: on}, false},
		{"a remote server, nothing is checked", config.Config{Safety: off, OutputGuard: config.OutputGuard{Mode: config.Off}, RemoteAudit: true}, false},
		{"a remote server", config.Config{Safety: on, RemoteAudit: true}, true},
		{"a remote server, the output guard", config.Config{Safety: off, OutputGuard: config.OutputGuard{Mode: config.Enforce}, RemoteAudit: true}, true},
	} {
		c.config.Server = &config.Server{URL: "https://guard.example.com/mcp"}
		x := &Examination{}
		x.checkRemoteWebhooks(&c.config)
		got := len(x.Checks) == 1 && x.Checks[0].Name == linkWebhooks && strings.Contains(x.Checks[0].Detail, "guard.example.com")
		if got != c.want {
			t.Errorf("%s: %+v", c.name, x.Checks)
		}
	}
}
