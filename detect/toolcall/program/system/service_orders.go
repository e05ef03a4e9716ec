package system

// serviceOrders lists the subcommands of programs that control services, sessions and the settings of the running
// machine.
const serviceOrders = `
systemctl
	values  --* H M n o p s t P host machine lines output property signal type state root kill-who kill-whom job-mode
	stop|kill|mask|disable|isolate            code stop
	poweroff|reboot|halt|kexec|soft-reboot    marks system_control stops or restarts the machine
	suspend|hibernate|hybrid-sleep            marks system_control stops or restarts the machine
	rescue|emergency|exit                     marks system_control stops or restarts the machine
	set-environment|import-environment        code environment
	unset-environment                         code environment
	enable|reenable|preset|edit|link          marks startup_change changes what the machine starts automatically
	add-wants|add-requires|set-default        marks startup_change changes what the machine starts automatically
	status|show|cat|help|list-*|is-*|get-*    looks
	start|restart|try-restart|reload|unmask   looks
	daemon-reload|daemon-reexec|reset-failed  looks
	*                                         unlisted

service rc-service
	* stop                                    code stop-named
	* status|start|restart|reload             looks
	*                                         unlisted

initctl supervisorctl
	stop|shutdown|remove                      code stop
	status|start|restart|reload|list|version  looks
	*                                         unlisted

pm2
	kill -                                    marks system_control stops every process that pm2 manages
	delete|del|stop|kill all                  marks system_control stops every process that pm2 manages
	delete|del|stop|restart|reload|flush      looks
	startup|unstartup                         marks startup_change changes what the machine starts automatically
	list|ls|logs|status|describe|monit|save   looks
	*                                         unlisted

launchctl
	setenv|unsetenv                           code environment
	load|bootstrap|enable|submit              marks startup_change changes what the machine starts automatically
	unload|bootout|remove|disable             code stop
	kill|stop|reboot                          code stop
	list|print|print-*|getenv|start|kickstart looks
	blame|dumpstate|version|help              looks
	*                                         unlisted

loginctl
	values  --* H M n o p s P host machine lines output property signal kill-whom
	kill-*|terminate-*                        marks system_control ends user sessions
	list-*|show-*|*-status                    looks
	*                                         unlisted

timedatectl
	values  --* H M p P host machine property
	set-*                                     marks system_control changes the settings of the running system
	status|show|show-*|list-timezones|timesync-status  looks
	*                                         unlisted

ip
	values  n netns b batch
	quiet   help h
	within  9
	route|ro|r|rule add|replace|change|append  marks system_control changes the routes of this machine
	... down|flush|del|delete                 marks system_control takes a network connection down
	*                                         looks

keyctl
	clear|purge|revoke|unlink|invalidate      marks destructive_op deletes keys of the kernel's key ring:
	print|pipe|read                           reveals
	show|list|describe|search|request|id|reap  looks
	*                                         unlisted

ssh-copy-id
	values  i p o t F
	quiet   n h
	root@*|localhost|127.0.0.1|*@localhost|*@127.0.0.1  marks privilege_escalation gives a key lasting access to an account
	* +i=/tmp/*                               marks privilege_escalation gives a key lasting access to an account
	*                                         looks

ssh-import-id ssh-import-id-gh ssh-import-id-lp
	quiet   h help
	* +r|remove                               looks
	*                                         marks privilege_escalation gives keys lasting access to an account

drbdadm
	quiet   d dry-run help
	* +~discard-my-data                       marks destructive_op throws away the data of a volume:
	invalidate|create-md|wipe-md              marks destructive_op throws away the data of a volume:
	primary +force                            marks destructive_op throws away the data of a volume:
	down|detach|secondary|disconnect          marks system_control stops the copying of a volume:
	*                                         unlisted

websocat
	prints  network
	* +~exec:|sh-c:|cmd:                      marks reverse_shell opens a shell of this machine to another one
	*                                         looks

chisel
	* +~R:                                    marks reverse_shell opens a port of this machine to another one
	*                                         looks

resolvectl
	values  i interface p protocol t type c class
	dns|domain|default-route|dnssec|dnsovertls * * *  marks system_control changes the settings of the running system
	*                                         looks

tc
	qdisc|class|filter add|del|delete|replace|change|link  marks system_control changes the network of this machine
	*                                         looks

update-alternatives alternatives
	* +install|set +~/tmp/|/home/|/root/      marks system_change replaces a program of the machine
	*                                         unlisted

hostnamectl
	values  --* H M host machine json
	set-*|hostname                            marks system_control changes the settings of the running system
	status|show                               looks
	*                                         unlisted
`
