package product

// Files of a project, relative to its root and written with slashes. filepath.Join turns them into paths of the system.
const (
	// ConfigFile is the product's own configuration, GuidelinesFolder the project's guidelines.
	ConfigFile       = ".claude/guardrails.yaml"
	GuidelinesFolder = ".claude/guardrails"
	// GuardScript is a project's own script that starts the hook programs; HooksFolder is the folder it is in.
	GuardScript = ".claude/hooks/guard"
	HooksFolder = ".claude/hooks"

	// ClientFolder is the client's folder in a project and, below the home folder, for a user.
	ClientFolder  = ".claude"
	RulesFolder   = ".claude/rules"
	Settings      = ".claude/settings.json"
	LocalSettings = ".claude/settings.local.json"
	// MCPFile names the MCP servers that the client starts in a project.
	MCPFile = ".mcp.json"
)

// ConfigName is the name of the configuration in a folder other than the project's.
const ConfigName = "guardrails.yaml"

// Files of the client in a folder other than the project's.
const (
	SettingsName        = "settings.json"
	ManagedSettingsName = "managed-settings.json"
)

// LayerGuidelinesFolder has the guidelines in a folder with ConfigName.
const LayerGuidelinesFolder = "guidelines"

// DatabaseFile is the name of the database in the data folder.
const DatabaseFile = "guardrails.db"

// Names in the state folder.
const (
	// SpoolFolder has the records that wait to be added to the audit; DamagedFolder in it has those that cannot be read.
	SpoolFolder   = "spool"
	DamagedFolder = "damaged"
	// SnapshotFolder has the last known guidelines of every project.
	SnapshotFolder = "snapshot"
	// TrustFolder has a record of every project that a person trusts.
	TrustFolder = "trust"
	// KeyFile has the key that signs the guard's files, such as permissions. Tool calls may not read it.
	KeyFile = "key"
	// TokenFile has the token of the server's owner, TokensFolder the tokens of all other users.
	TokenFile    = "token"
	TokensFolder = "tokens"
)

// Names in the runtime folder.
const (
	// SocketFile is the Unix socket on which a server answers hooks.
	SocketFile = "server.sock"
	// StateFallback is used instead of the state folder when the environment names no home.
	StateFallback = "state"
	// SessionPrefix starts the name of every file of a session.
	SessionPrefix = "guardrails-"
)

// The indices in Elasticsearch.
const (
	ConfigIndex = "guardrails-config"
	AuditIndex  = "guardrails-audit"
	StateIndex  = "guardrails-state"
)

// DatabaseFiles returns the files that SQLite keeps for a database.
func DatabaseFiles(path string) []string {
	return []string{path, path + "-wal", path + "-shm", path + "-journal"}
}
