package packages

const (
	goValues = "C o exec toolexec run skip count timeout tags mod modfile ldflags gcflags asmflags overlay coverprofile covermode coverpkg " +
		"cpuprofile memprofile blockprofile mutexprofile trace bench benchtime p parallel cpu pkgdir buildvcs fuzz " +
		"fuzztime f vettool outputdir"
	cargoValues = "p package manifest-path target features j jobs profile bin example registry index token git config"
)

const buildOrders = `
go
	words
	values  ` + goValues + `
	test                                      code go-test
	run                                       code go-run
	generate                                  code go-generate
	fmt|fix                                   code go-format
	env +w                                    code go-set
	*                                         code go-build

cargo
	values  ` + cargoValues + `
	test|t|nextest|tarpaulin|llvm-cov         tests
	release +execute|x                        publishes
	release                                   looks
	publish|yank|owner +dry-run|n             looks
	publish|yank                              publishes
	owner +a|add|r|remove                     publishes
	make test*|check|ci                       tests
	run|r                                     code cargo-run
	build|b|check|c|clippy|fmt|doc|clean|new  looks
	init|add|remove|rm|update|search|install  looks
	tree|metadata|fetch|vendor|bench|owner    looks
	fix|audit|deny|expand|login|logout|help   looks
	*                                         unlisted

bundle bundler
	leading gemfile
	exec|e                                    code bundle-exec
	install|update|add|remove|check|list|lock looks
	show|info|outdated|config|init|clean|gem  looks
	*                                         unlisted
`
