package trace

import (
	"strings"

	"guardrails/detect/toolcall/words"
)

// IsRegenerable reports whether a path in the project is output that a tool can create again.
func IsRegenerable(name string) bool {
	for segment := range strings.SplitSeq(strings.ToLower(name), "/") {
		if regenerableName(segment) {
			return true
		}
	}
	base := strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	for _, suffix := range [...]string{
		".pyc", ".o", ".log", ".tmp", ".egg-info", ".egg", ".class", ".bak", ".orig", ".swp", ".tsbuildinfo", ".dsym", ".pid",
		".out", ".cache", ".js.map", ".css.map", ".prof", ".tgz", ".tar.gz", ".zip",
	} {
		if strings.HasSuffix(base, suffix) {
			return true
		}
	}
	return false
}

// These are names of folders and files that tools make again. The lists leave out names that people also give to
// sources (public, book), folders that also contain settings or sources (.vuepress, .mvn), and folders with data that
// no tool makes again (.vagrant, .wrangler).
const (
	generic = "build dist out output outputs target bin obj cache .cache caches tmp .tmp temp .temp logs log vendor generated " +
		".generated gen _gen __generated__ generated-sources generated-test-sources deps _deps .deps release debug reports " +
		"artifacts scratch .scratch sandbox .build .idea .vs .vscode-test .ds_store .task .direnv buck-out bazel-bin " +
		"bazel-out bazel-testlogs plz-out .pants.d"
	ofLanguages = "__pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv venv env virtualenv .pixi .conda .eggs " +
		"develop-eggs wheels pip-wheel-metadata __pypackages__ _skbuild .pyre .pytype .pybuilder .pdm-build cython_debug " +
		".ipynb_checkpoints .virtual_documents .scrapy lightning_logs " +
		".gradle .kotlin .bloop .bsp .metals .scala-build .ammonite .apt_generated .apt_generated_tests .cxx .externalnativebuild " +
		"pods carthage deriveddata xcuserdata .symlinks ephemeral .dart_tool .pub .import .godot .mono " +
		"cmakefiles cmake-build-debug cmake-build-release builddir .libs .xmake meson-logs meson-private meson-info " +
		".pio .pioenvs .piolibdeps managed_components vcpkg_installed zig-out .dub .lake nimcache " +
		".bundle .yardoc _yardoc blib _inline cover_db nytprof lua_modules .rproj.user " +
		"_build elm-stuff .elixir_ls .lexical .rebar .rebar3 .eunit .stack-work dist-newstyle .hie .hpc .cabal-sandbox _opam _esy " +
		".spago .psci_modules .psc-package .shadow-cljs fable_modules .fake .ionide " +
		"typechain typechain-types crytic-export .anchor .terraform .serverless .aws-sam .ansible"
	ofSites = "node_modules .npm bower_components jspm_packages web_modules .yarn .pnpm-store .yalc .next .nuxt .nitro .output " +
		".turbo .nx .parcel-cache .svelte-kit .angular .vite .vite-inspect .vinxi .astro .swc .webpack .esbuild .grunt out-tsc " +
		".react-router .tanstack .open-next .sst .umi .umi-production .umi-test .quasar .tamagui .wxt .plasmo .fusebox " +
		".contentlayer .content-collections .velite .mastra .firebase .sourcemaps __sapper__ .expo .docusaurus .quarto _book " +
		"storybook-static site _site .doctrees doctrees"
	ofTests = "coverage htmlcov .coverage .nyc_output lcov-report .hypothesis .benchmarks playwright-report blob-report " +
		"test-results testresults test-reports screenshots allure-results allure-report mochawesome-report .lighthouseci " +
		"surefire-reports benchmarkdotnet.artifacts .clinic .scannerwork .sonar .stryker-tmp .eslintcache"
)

// regenerableName reports whether one element of a path is a usual name for the output of a tool.
func regenerableName(s string) bool {
	for _, list := range [...]string{generic, ofLanguages, ofSites, ofTests} {
		if words.OneOf(s, list) {
			return true
		}
	}
	for _, word := range [...]string{
		"cache", "tmp", "temp-", "temp_", "-temp", "_temp", "node_modules", "build-", "-build", "build_", "dist-", "-dist",
		"coverage", "test-output", "test_output", ".egg-info",
	} {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}
