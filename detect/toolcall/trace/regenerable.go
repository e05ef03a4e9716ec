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
	parent := strings.TrimSuffix(strings.TrimSuffix(name, BaseName(name)), "/")
	if words.OneOf(BaseName(name), "Library Temp obj Logs") && words.InName(BaseName(parent), "unity") {
		return true
	}
	for _, folder := range [...]string{"cypress/videos/", "storage/framework/views/"} {
		if strings.Contains(name+"/", folder) {
			return true
		}
	}
	base := strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	for _, suffix := range [...]string{
		".pyc", ".o", ".log", ".tmp", ".egg-info", ".egg", ".class", ".bak", ".orig", ".swp", ".tsbuildinfo", ".dsym", ".pid",
		".out", ".rcheck", ".cache", ".js.map", ".css.map", ".prof", ".tgz", ".tar.gz", ".zip",
	} {
		if strings.HasSuffix(base, suffix) {
			return true
		}
	}
	return false
}

// These are names of folders and files that tools make again. The lists leave out names that people also give to
// sources, such as public and book. The lists leave out folders that also contain settings or sources, such as
// .vuepress and .mvn. The lists also leave out folders with data that no tool makes again, such as .vagrant and
// .wrangler.
const (
	generic = "build dist out output outputs target bin obj temp .temp logs log vendor generated .generated gen " +
		"_gen __generated__ generated-sources generated-test-sources deps _deps .deps release debug reports " +
		"artifacts scratch .scratch sandbox .build .idea .vs .vscode-test .ds_store .task .direnv buck-out " +
		"plz-out .pants.d"
	ofLanguages = ".tox .nox .venv venv env virtualenv .pixi .conda .eggs develop-eggs wheels pip-wheel-metadata " +
		"__pypackages__ _skbuild .pyre .pytype .pybuilder .pdm-build cython_debug .ipynb_checkpoints .scrapy " +
		"lightning_logs .gradle .kotlin .bloop .bsp .metals .scala-build .ammonite .cxx .externalnativebuild " +
		"pods carthage deriveddata xcuserdata .symlinks ephemeral .dart_tool .import .godot cmakefiles " +
		"builddir .libs .pio managed_components vcpkg_installed zig-out .dub .lake .bundle .yardoc blib " +
		"cover_db nytprof lua_modules .rproj.user _build elm-stuff .elixir_ls .lexical .rebar .rebar3 .eunit " +
		".stack-work dist-newstyle .hie .hpc _opam _esy .spago fable_modules .ionide typechain " +
		"typechain-types .anchor .terraform .serverless .aws-sam .ansible staticfiles"
	ofSites = ".npm bower_components jspm_packages web_modules .yarn .pnpm-store .yalc .next .nuxt .nitro .output " +
		".turbo .nx .svelte-kit .angular .vite .vinxi .astro .swc .webpack .esbuild .grunt out-tsc " +
		".react-router .tanstack .open-next .sst .umi .umi-production .quasar .tamagui .wxt .plasmo " +
		".contentlayer .content-collections .velite .mastra .firebase .expo .docusaurus .quarto _book " +
		"storybook-static site _site .doctrees doctrees"
	ofTests = "htmlcov .nyc_output .hypothesis .benchmarks playwright-report blob-report test-results testresults " +
		"test-reports screenshots allure-results allure-report mochawesome-report .lighthouseci " +
		"benchmarkdotnet.artifacts .scannerwork strykeroutput .playwright .playwright-mcp"
)

// regenerableName reports whether one element of a path is a usual name for the output of a tool.
func regenerableName(s string) bool {
	for _, list := range [...]string{generic, ofLanguages, ofSites, ofTests} {
		if words.OneOf(s, list) {
			return true
		}
	}
	if strings.HasPrefix(s, "bazel-") {
		return true
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
