package product

import "strings"

// The product's own environment variables.
const (
	// VariablePrefix is the beginning of the names of the product's environment variables, except VariableIntervention.
	VariablePrefix = "GUARDRAILS_"

	// VariableCache overrides the path of the runtime folder.
	VariableCache = "GUARDRAILS_CACHE_DIR"
	// VariableDebug names a file. A hook that panics writes the cause and the stack to this file.
	VariableDebug = "GUARDRAILS_DEBUG"
	// VariableAddress sets the address on which a server listens.
	VariableAddress = "GUARDRAILS_ADDR"

	// Each of the following variables overrides a key of ConfigFile.
	VariableTenant       = "GUARDRAILS_TENANT"
	VariableDefaultAgent = "GUARDRAILS_DEFAULT_AGENT"
	VariableDomains      = "GUARDRAILS_DOMAINS"
	VariablePacks        = "GUARDRAILS_PACKS"
	VariableEnvironment  = "GUARDRAILS_ENVIRONMENT"
	VariableFallback     = "GUARDRAILS_FALLBACK_MODE"
	VariableCacheTTL     = "GUARDRAILS_CACHE_TTL"
	VariableStrict       = "GUARDRAILS_STRICT"
	VariableStore        = "GUARDRAILS_STORE"
	VariableAudit        = "GUARDRAILS_AUDIT"
	VariableServer       = "GUARDRAILS_SERVER"
	VariableExceptions   = "GUARDRAILS_EXCEPTIONS"
	VariableDetectors    = "GUARDRAILS_DETECTORS"
	VariableDisplay      = "GUARDRAILS_DISPLAY"
	VariableSafety       = "GUARDRAILS_SAFETY"
	VariableOutputGuard  = "GUARDRAILS_OUTPUT_GUARD"
	VariableModel        = "GUARDRAILS_MODEL"

	// VariableIntervention makes the output guard replace unsafe answers.
	VariableIntervention = "ENABLE_BEHAVIORAL_INTERVENTION"
)

// Variables of the system and of Elasticsearch that decide which files and which store the product uses.
const (
	VariableHome    = "HOME"
	VariableData    = "XDG_DATA_HOME"
	VariableState   = "XDG_STATE_HOME"
	VariableConfig  = "XDG_CONFIG_HOME"
	VariableRuntime = "XDG_RUNTIME_DIR"
	VariableCluster = "ELASTICSEARCH_URL"
	variableProfile = "USERPROFILE"
	variableTemp    = "TMPDIR"
)

// MovingVariables lists the variables that determine the paths of the client's settings and of the product's files, and
// which store the product uses. Spaces separate the names.
const MovingVariables = VariableHome + " " + VariableData + " " + VariableState + " " + VariableConfig + " " +
	VariableRuntime + " " + VariableCluster + " " + variableTemp

// Variables of the client.
const (
	// VariableAgentShell is set in every shell that the client opens for the agent.
	VariableAgentShell = "CLAUDECODE"
	VariableProject    = "CLAUDE_PROJECT_DIR"
	VariableAgent      = "CLAUDE_INSTANCE_ID"
	VariableSession    = "CLAUDE_CODE_SESSION_ID"
	VariableEntrypoint = "CLAUDE_CODE_ENTRYPOINT"
	VariableClientDir  = "CLAUDE_CONFIG_DIR"
)

// IsAgentShell reports whether the environment belongs to a shell that the client opened for the agent.
func IsAgentShell(env func(string) string) bool { return env(VariableAgentShell) != "" }

// IsAgentVariable reports whether the client sets a variable for the processes of an agent, and only for these.
func IsAgentVariable(name string) bool { return name == VariableAgentShell || name == VariableSession }

// IsSetting reports whether a variable overrides the configuration: its name begins with VariablePrefix, or it is
// VariableIntervention. It returns false for VariableCache, which only moves files.
func IsSetting(variable string) bool {
	return strings.HasPrefix(variable, VariablePrefix) && variable != VariableCache || variable == VariableIntervention
}

// IsLocation reports whether a variable determines where the guidelines and the records are. If the value of such a
// variable in a hook's environment differs from the value in a server's environment, the server must not answer the
// hook.
func IsLocation(variable string) bool {
	switch variable {
	case VariableHome, VariableConfig, VariableData, VariableState, VariableCluster:
		return true
	}
	return false
}
