package toolcall

// Event is something a tool call means to the people who write guidelines.
type Event string

// The events that tool calls send.
const (
	Commit          Event = "commit"
	Push            Event = "push"
	ForcePush       Event = "force_push"
	Merge           Event = "merge"
	HistoryRewrite  Event = "history_rewrite"
	DiscardChanges  Event = "discard_changes"
	Deploy          Event = "deploy"
	DevopsInvoked   Event = "devops_invocation"
	DestructiveOp   Event = "destructive_op"
	ProjectDelete   Event = "project_delete"
	OutsideDelete   Event = "outside_delete"
	OutsideWrite    Event = "outside_write"
	SystemDelete    Event = "system_delete"
	SystemChange    Event = "system_change"
	DeviceWrite     Event = "device_write"
	PermissionOpen  Event = "permission_change"
	Privilege       Event = "privilege"
	PrivilegeGain   Event = "privilege_escalation"
	SecretAccess    Event = "secret_access"
	SecretSend      Event = "secret_exfiltration"
	PipeToShell     Event = "pipe_to_shell"
	HiddenExecution Event = "hidden_execution"
	OpaqueExecution Event = "opaque_execution"
	ReverseShell    Event = "reverse_shell"
	StartupChange   Event = "startup_change"
	DefenseOff      Event = "defense_disable"
	SystemControl   Event = "system_control"
	ResourceExhaust Event = "resource_exhaustion"
	ContainerEscape Event = "container_escape"
	RemoteExecution Event = "remote_execution"
	Publish         Event = "publish"
	UntrustedSource Event = "untrusted_install"
	GuardTamper     Event = "guard_tamper"
	ContractChange  Event = "contract_change"
	TestRun         Event = "test_run"
	PlanComplete    Event = "planning_complete"
	ComplexOp       Event = "complex_operation"
	TooLarge        Event = "too_large"
)

// TestFailureRepeated is sent by the hooks, which count failed test commands; no single call means it.
const TestFailureRepeated Event = "test_failure_repeated"

// EventInfo describes an event for a person.
type EventInfo struct {
	Event   Event  `json:"event"`
	Meaning string `json:"meaning"`
}

// Events lists every event with its meaning.
func Events() []EventInfo {
	return []EventInfo{
		{Commit, "a commit is made: git commit, merge, revert, cherry-pick, am"},
		{Push, "commits are sent to a remote"},
		{ForcePush, "a remote branch is overwritten or deleted (not: --force-with-lease to a branch of one's own)"},
		{Merge, "branches or a pull request are merged"},
		{HistoryRewrite, "recorded history is rewritten or made unrecoverable: filter-branch, reflog expire, gc --prune=now"},
		{DiscardChanges, "uncommitted or unmerged work is thrown away: reset --hard, clean -f, checkout --, stash drop, branch -D"},
		{Deploy, "something is released to a running environment"},
		{DevopsInvoked, "running infrastructure is changed, or an agent that does so is started"},
		{DestructiveOp, "data is deleted that cannot be made again: rm -rf, kubectl delete, DROP TABLE, terraform destroy"},
		{ProjectDelete, "the project's root or its .git is deleted, moved away or overwritten"},
		{OutsideDelete, "something outside the project and the temporary folders is deleted"},
		{OutsideWrite, "something outside the project and the temporary folders is written"},
		{SystemDelete, "the root, a system folder, a whole home directory, or what contains the project is deleted or moved"},
		{SystemChange, "files, packages or settings of the operating system are changed"},
		{DeviceWrite, "a disk, partition or other raw device is written, formatted or wiped"},
		{PermissionOpen, "permissions or owners are changed recursively above the project, in the system, or opened to everyone"},
		{Privilege, "a command runs as another user: sudo, doas, su -c"},
		{PrivilegeGain, "lasting privilege is got: a root shell, setuid, sudoers, accounts, capabilities"},
		{SecretAccess, "a private key, .env, credential store, token or password file is read"},
		{SecretSend, "a secret, or the environment, is sent to the network"},
		{PipeToShell, "a download is run without having been looked at"},
		{HiddenExecution, "code is decoded or assembled and then run: base64 into sh, eval of printf"},
		{OpaqueExecution, "code runs that cannot be known from the call: eval of an unknown variable, broken syntax"},
		{ReverseShell, "a shell is connected to the network"},
		{StartupChange, "what runs by itself later is changed: shell start files, cron, services, git hooks, authorized_keys"},
		{DefenseOff, "a firewall, audit log, history or access control is switched off or erased"},
		{SystemControl, "the machine or its services are stopped, or processes that are not one's own are killed"},
		{ResourceExhaust, "the machine is exhausted: a fork bomb, an endless write"},
		{ContainerEscape, "a container gets the host: --privileged, the host's root or docker.sock mounted, nsenter"},
		{RemoteExecution, "a command runs on another machine or in a cluster"},
		{Publish, "a package, image or release is published"},
		{UntrustedSource, "a package is installed from a place other than the usual registries, without transport security"},
		{GuardTamper, "this product's settings, hooks, binaries, config, caches or server are changed or stopped"},
		{ContractChange, "a file below contracts/ is changed"},
		{TestRun, "tests are run"},
		{PlanComplete, "a plan is presented for approval"},
		{ComplexOp, "one call writes more than ten files, or backend and frontend together"},
		{TooLarge, "a command is too large, too deep or has too many parts to be analysed whole"},
		{TestFailureRepeated, "the same test command has failed several times (sent by the hooks)"},
	}
}
