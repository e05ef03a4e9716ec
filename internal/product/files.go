package product

// Files of a project. The paths are relative to the project's root, and have forward slashes on every system.
// filepath.Join converts them to the form that the system uses.
const (
	// ConfigFile is the product's own configuration. GuidelinesFolder has the project's guidelines.
	ConfigFile       = ".claude/guardrails.yaml"
	GuidelinesFolder = ".claude/guardrails"
	// PoliciesFile has the project's policies for the safety gate.
	PoliciesFile = ".claude/guardrails-policies.yaml"
	// GuardScript is a project's own script that starts the hook programs. HooksFolder is its folder.
	GuardScript = ".claude/hooks/guard"
	HooksFolder = ".claude/hooks"

	// ClientFolder is the client's folder in a project. A user's client folder has the same name and is in the home
	// folder.
	ClientFolder  = ".claude"
	RulesFolder   = ".claude/rules"
	Settings      = ".claude/settings.json"
	LocalSettings = ".claude/settings.local.json"
	// MCPFile names the MCP servers that the client starts in a project.
	MCPFile = ".mcp.json"
)

// This list contains the files in a project that the guard depends on, with the client's files first.
var projectFiles = [...]string{ //nolint:gochecknoglobals // a constant table
	Settings, LocalSettings, MCPFile, ConfigFile, PoliciesFile, GuidelinesFolder + AnyGuideline, GuardScript,
}

// AnyGuideline is the name of a file that stands for all files in the folder with the project's guidelines.
const AnyGuideline = "/x.yaml"

// ClientFiles is the number of files at the beginning of ProjectFiles that belong to the client.
const ClientFiles = 3

// ProjectFiles returns the files in a project that the guard depends on.
func ProjectFiles() []string { return projectFiles[:] }

// ConfigName is the name of the configuration file in all folders except the project's folder.
const ConfigName = "guardrails.yaml"

// Names of the client's files in all folders except the project's folder.
const (
	SettingsName        = "settings.json"
	ClientState         = ".claude.json"
	ManagedSettingsName = "managed-settings.json"
)

// LayerGuidelinesFolder is the folder with a layer's guidelines. It is in the same folder as the layer's ConfigName.
const LayerGuidelinesFolder = "guidelines"

// DatabaseFile is the name of the database in the data folder.
const DatabaseFile = "guardrails.db"

// Files and folders in the state folder.
const (
	// SpoolFolder has the records that wait to be added to the audit. DamagedFolder is a folder inside SpoolFolder,
	// with the records that cannot be read.
	SpoolFolder   = "spool"
	DamagedFolder = "damaged"
	// SnapshotFolder has the last known good guidelines of every project.
	SnapshotFolder = "snapshot"
	// AuditFolder has a note about the newest entry of each hash chain in the audit, and the keys that sign these
	// notes.
	AuditFolder = "audit"
	// ModelFolder has a file that says how often a language model was called in this hour.
	ModelFolder = "model"
	// TrustFolder has a record of every project that a person trusts.
	TrustFolder = "trust"
	// KeyFile has the key that signs the files of guardrails, such as permissions. Tool calls may not read this file.
	KeyFile = "key"
	// TokenFile contains the token of the server's owner. TokensFolder contains the tokens of all other callers.
	TokenFile    = "token"
	TokensFolder = "tokens"
)

// Files and folders in the runtime folder.
const (
	// SocketFile is the Unix socket on which a server answers hooks.
	SocketFile = "server.sock"
	// ClockFile says how long the user has worked without a break.
	ClockFile = "clock"
	// PresenceFile contains the times at which the user answered a question since the last prompt.
	PresenceFile = "presence"
	// StateFallback replaces the state folder if the environment names no home folder.
	StateFallback = "state"
	// SessionPrefix is the text with which the name of every file of a session begins.
	SessionPrefix = "guardrails-"
)

// The names of the indices in Elasticsearch.
const (
	ConfigIndex = "guardrails-config"
	AuditIndex  = "guardrails-audit"
	StateIndex  = "guardrails-state"
)

// DatabaseFiles returns the files that SQLite keeps for a database.
func DatabaseFiles(path string) []string {
	return []string{path, path + "-wal", path + "-shm", path + "-journal"}
}
