# `make help` lists the targets.
GO      ?= go
BIN     := bin
FLAGS   := -trimpath -buildmode=exe -ldflags "-s -w"
FUZZTIME ?= 60s
KILLS   ?= 1000
PREFIX  ?= $(HOME)/.local

export CGO_ENABLED = 0

.PHONY: help build install run test check e2e bench bench-full simulate chaos lint ui fuzz clean generate
.DEFAULT_GOAL := build

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the six programs into bin/
	@$(GO) build $(FLAGS) -o $(BIN)/ ./cmd/guardrails
	@$(GO) build $(FLAGS) -o $(BIN)/ ./cmd/guardrails-server
	@GO=$(GO) scripts/hooks.sh $(BIN)

run: build ## show what guardrails does with the default guidelines, and leave a server running until Ctrl-C
	@scripts/demo.sh $(BIN)/guardrails

install: build ## copy the programs to PREFIX/bin (default ~/.local/bin)
	@install -d "$(PREFIX)/bin" && install -m 755 $(BIN)/* "$(PREFIX)/bin/" && echo "installed into $(PREFIX)/bin"

test: ## run everything that CI runs: checks, tests, race detector, stores, fuzzing, client, page, budgets
	@scripts/test.sh

check: build ## run what needs only the Go toolchain: build, formatting, vet, lint, layers, quick tests
	@scripts/check.sh
	@echo; echo "== quick tests"
	@$(GO) test -short $$($(GO) list ./... | grep -v /store/elastic$$)
	@echo; echo "== documents"
	@$(GO) test . -run 'TestExamplesInTheDocumentsRun|TestTheREADMEIsRight'

e2e: ## test the hooks in Claude Code, installed from npm in two versions (CLIENT_OLD and CLIENT_NEW choose others)
	@scripts/e2e.sh

bench: build ## measure processes, functions and sizes, and fail when a budget is missed
	@scripts/bench.sh

bench-full: build ## measure the goals for large companies with all their data, on SQLite and Elasticsearch (an hour)
	@scripts/bench-full.sh

simulate: build ## simulate 10,000 machines, two servers and three nodes, one of which is killed (twelve minutes)
	@scripts/simulate.sh

chaos: ## kill servers KILLS times (default 1000), disturb clocks, disks and networks, and check that nothing is lost
	@scripts/chaos.sh $(KILLS)

lint: ## run golangci-lint, and install it into .tools if it is missing
	@scripts/lint.sh

ui: ## build the page and test it in Chromium on a real server
	@scripts/ui.sh

generate: ## rewrite golden files, the packs' JSON and lists of versions, the schema and the examples in the documents
	$(GO) test $$(git grep -l 'flag.Bool("update"' -- '*_test.go' ':!e2e' ':!store/proof' | xargs -n 1 dirname | sort -u | sed 's|^|./|') -update

fuzz: ## run every fuzz target for FUZZTIME (default 60s)
	@scripts/fuzz.sh $(FUZZTIME)

clean: ## remove everything that was built or installed here
	rm -rf $(BIN) .build .tools coverage
