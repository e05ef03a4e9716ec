package effect

import "slices"

// Event is a kind of action, such as a commit, that guidelines can name in condition.events.
type Event string

// The events of tool calls.
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
	DefaultPush     Event = "push_default_branch"
	SkipChecks      Event = "skip_checks"
	AmendPushed     Event = "amend_pushed"
)

// The events of files. These events follow from the kind of an effect, and they are not in the list of events of the
// effect. Effect.FileEvent returns them.
const (
	FileRead   Event = "file_read"
	FileWrite  Event = "file_write"
	FileDelete Event = "file_delete"
)

// TestFailureRepeated is an event that no single call has. The hooks count failed test commands and send this event.
const TestFailureRepeated Event = "test_failure_repeated"

// The events of detectors. The hooks add ToolLoop to a call that continues a loop. No tool call has the other events,
// because they are about what people and models write.
const (
	ToolLoop   Event = "tool_loop"
	Rumination Event = "rumination"
	Hyperfocus Event = "hyperfocus"
	Sycophancy Event = "sycophancy"
	PIIFound   Event = "pii_found"
)

// The events of the safety gate: what it decided about a prompt, and about an answer. No tool call has these events.
const (
	SafetyHold    Event = "safety_hold"
	SafetyBlocked Event = "safety_blocked"
	OutputHold    Event = "output_hold"
	OutputBlocked Event = "output_blocked"
)

// IsAboutPerson reports whether an event says how a person works with the model.
func (e Event) IsAboutPerson() bool { return e == Rumination || e == Hyperfocus || e == Sycophancy }

// IsOfDetector reports whether a detector sends an event.
func (e Event) IsOfDetector() bool {
	return e == ToolLoop || e == PIIFound || e.IsAboutPerson() || e.IsOfSafetyGate()
}

// IsOfSafetyGate reports whether the safety gate sends an event.
func (e Event) IsOfSafetyGate() bool {
	return e == SafetyHold || e == SafetyBlocked || e == OutputHold || e == OutputBlocked
}

// IsFileEvent reports whether an event follows from the kind of an effect.
func (e Event) IsFileEvent() bool { return e == FileRead || e == FileWrite || e == FileDelete }

// EventInfo describes an event.
type EventInfo struct {
	// Number identifies the event in files that hooks and servers share. The number is between 1 and 63, and it never
	// changes.
	Number  int    `json:"-"`
	Event   Event  `json:"event"`
	Meaning string `json:"meaning"`
}

// The variable "events" lists every event. A new event takes the next free number and may stand anywhere in the
// list. The number of a removed event is never used again. A new event must also be added to the table "numbered".
var events = [...]EventInfo{ //nolint:gochecknoglobals // a constant table
	{1, Commit, "a commit is made: git commit, merge, revert, cherry-pick, am"},
	{2, Push, "commits are sent to a remote"},
	{3, ForcePush, "a remote branch is overwritten or deleted; a push with --force-with-lease to your own branch " +
		"does not count"},
	{4, Merge, "branches or a pull request are merged"},
	{5, HistoryRewrite, "recorded history is rewritten or becomes unrecoverable: filter-branch, " +
		"reflog expire, gc --prune=now"},
	{6, DiscardChanges, "uncommitted or unmerged work is discarded: reset --hard, clean -f, checkout " +
		"--, stash drop, branch -D"},
	{7, Deploy, "something is released to a running environment"},
	{8, DevopsInvoked, "a production database or infrastructure in use is changed, or an agent that makes such changes " +
		"is started"},
	{9, DestructiveOp, "data that cannot be rebuilt is deleted: rm -rf, kubectl delete, DROP TABLE, terraform destroy"},
	{10, ProjectDelete, "the project's root or its .git is deleted, moved away or overwritten"},
	{11, OutsideDelete, "something outside the project and the temporary folders is deleted"},
	{12, OutsideWrite, "something outside the project and the temporary folders is written"},
	{13, SystemDelete, "the root, a system folder, a whole home directory or a parent folder of the project is deleted " +
		"or moved; or another project or a folder with personal files is deleted"},
	{14, SystemChange, "files, packages or settings of the operating system are changed"},
	{15, DeviceWrite, "a disk, partition or other raw device is written, formatted or wiped"},
	{16, PermissionOpen, "everyone gets access to a file or folder; or a recursive command changes permissions or owners in a " +
		"system folder or in a parent folder of the project"},
	{17, Privilege, "a command runs as another user: sudo, doas, su -c"},
	{18, PrivilegeGain, "lasting privileges are gained: a root shell, setuid, sudoers, accounts, capabilities"},
	{19, SecretAccess, "a private key, .env, credential store, token or password file is read"},
	{20, SecretSend, "secrets or environment variables are sent over the network"},
	{21, PipeToShell, "a download is run before anyone has reviewed it"},
	{22, HiddenExecution, "code is decoded or assembled and then run: base64 into sh, eval of printf"},
	{23, OpaqueExecution, "a call runs code that the analysis does not know or cannot read: eval of an unknown " +
		"variable, broken syntax"},
	{24, ReverseShell, "a shell is connected to the network"},
	{25, StartupChange, "something that runs automatically is changed: shell start files, cron, services, " +
		"git hooks, authorized_keys"},
	{26, DefenseOff, "a firewall, audit log, history or access control is switched off or erased"},
	{27, SystemControl, "the running system is changed: the machine or a service is stopped, processes that the session " +
		"did not start are killed, file systems are mounted or unmounted, or settings such as those of the kernel, " +
		"the clock or the network are changed"},
	{28, ResourceExhaust, "the machine is exhausted: a fork bomb, an endless write"},
	{29, ContainerEscape, "a container gets access to the host: --privileged, the host's root or " +
		"docker.sock mounted, nsenter"},
	{30, RemoteExecution, "a command runs on another machine or in a cluster"},
	{31, Publish, "a package, image or release is published"},
	{32, UntrustedSource, "a package is installed over an unencrypted connection, or without a check of its origin: " +
		"http:// sources, --trusted-host, --allow-unauthenticated"},
	{33, GuardTamper, "this product's settings, hooks, binaries, config, caches or server are changed or stopped"},
	{34, ContractChange, "a file below contracts/ is changed"},
	{35, TestRun, "tests are run"},
	{36, PlanComplete, "a plan is presented for approval"},
	{37, ComplexOp, "one call writes more than ten files, or both backend and frontend files"},
	{38, TooLarge, "a command is too large, is nested too deeply or has too many parts to be analyzed completely"},
	{39, TestFailureRepeated, "the same test command has failed several times (sent by the hooks)"},
	{40, FileRead, "a file is read or a folder is searched, by a tool or a command"},
	{41, FileWrite, "a file is created or changed: by a tool, by a redirection, by sed -i, or by a copy or move to its path"},
	{42, FileDelete, "a file or folder is deleted or moved away"},
	{43, DefaultPush, "commits reach the remote's default branch: git push origin main or HEAD:main, gh pr merge"},
	{44, SkipChecks, "git's hooks and their checks are skipped: --no-verify, commit -n, core.hooksPath, HUSKY=0, " +
		"SKIP=, LEFTHOOK=0; or a hook is deleted or loses its execute permission"},
	{45, AmendPushed, "a commit that is already in the upstream branch is amended or rebased"},
	{46, ToolLoop, "an agent makes the same calls again and again (sent by a detector)"},
	{47, Rumination, "a person asks the same question again and again (sent by a detector)"},
	{48, Hyperfocus, "a person has worked for a long time without a break (sent by a detector)"},
	{49, Sycophancy, "answers agree without a reason (sent by a detector)"},
	{50, PIIFound, "an answer contains personal data (a detector sends this event)"},
	{51, SafetyHold, "a prompt should be looked at by a person (sent by the safety gate)"},
	{52, SafetyBlocked, "a prompt asks for harm, or its author is in danger (sent by the safety gate)"},
	{53, OutputHold, "an answer should be looked at by a person (sent by the safety gate)"},
	{54, OutputBlocked, "an answer does harm (sent by the safety gate)"},
}

// The variable "numbered" contains each event at its number. It is separate from the table "events", so that
// the hook programs, which need only numbers and names, do not contain the meanings.
var numbered = [...]Event{ //nolint:gochecknoglobals // a constant table
	1: Commit, 2: Push, 3: ForcePush, 4: Merge, 5: HistoryRewrite, 6: DiscardChanges, 7: Deploy,
	8: DevopsInvoked, 9: DestructiveOp, 10: ProjectDelete, 11: OutsideDelete, 12: OutsideWrite,
	13: SystemDelete, 14: SystemChange, 15: DeviceWrite, 16: PermissionOpen, 17: Privilege,
	18: PrivilegeGain, 19: SecretAccess, 20: SecretSend, 21: PipeToShell, 22: HiddenExecution,
	23: OpaqueExecution, 24: ReverseShell, 25: StartupChange, 26: DefenseOff, 27: SystemControl,
	28: ResourceExhaust, 29: ContainerEscape, 30: RemoteExecution, 31: Publish, 32: UntrustedSource,
	33: GuardTamper, 34: ContractChange, 35: TestRun, 36: PlanComplete, 37: ComplexOp, 38: TooLarge,
	39: TestFailureRepeated, 40: FileRead, 41: FileWrite, 42: FileDelete, 43: DefaultPush, 44: SkipChecks,
	45: AmendPushed, 46: ToolLoop, 47: Rumination, 48: Hyperfocus, 49: Sycophancy, 50: PIIFound,
	51: SafetyHold, 52: SafetyBlocked, 53: OutputHold, 54: OutputBlocked,
}

// TableHash is a hash of the numbers and names of all events. It is part of the format of files that hold event
// numbers, so that programs with different tables do not read each other's files. A test fails and reports the new
// value when the table changes.
const TableHash = "0c58b9fe"

// Events returns every event with its meaning.
func Events() []EventInfo { return slices.Clone(events[:]) }

// Number returns the event's number, or 0 if there is no such event.
func (e Event) Number() int {
	for i := range numbered {
		if numbered[i] == e {
			return i
		}
	}
	return 0
}
