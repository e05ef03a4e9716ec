# guardrails: one word a task. `make run` shows the product at work, `make test` proves it.
GO      ?= go
BIN     := bin
FLAGS   := -trimpath -buildmode=exe -ldflags "-s -w"
FUZZTIME ?= 60s
PREFIX  ?= $(HOME)/.local

export CGO_ENABLED = 0

.PHONY: build install run test e2e bench lint fuzz clean generate

build: ## build the command line, the server and the hooks into bin/
	@$(GO) build $(FLAGS) -o $(BIN)/ ./cmd/guardrails
	@$(GO) build $(FLAGS) -o $(BIN)/ ./cmd/guardrails-server
	@GO=$(GO) scripts/hooks.sh $(BIN)

run: build ## build, show the engine at work on the default guidelines, and leave a server running until Ctrl-C
	@scripts/demo.sh $(BIN)/guardrails

install: build ## put the programs into PREFIX/bin, by default ~/.local/bin
	@install -d "$(PREFIX)/bin" && install -m 755 $(BIN)/* "$(PREFIX)/bin/" && echo "installed into $(PREFIX)/bin"

test: ## everything that CI runs: vet on three systems, lint, tests with the race detector, coverage, budgets
	@scripts/test.sh

e2e: ## prove the hooks on the real client, installed from npm in two versions: CLIENT_OLD and CLIENT_NEW name others
	@scripts/e2e.sh

bench: build ## measure the budgets of processes, functions and sizes; fails when one is missed
	@scripts/bench.sh

lint: ## golangci-lint, installed into .tools when it is missing
	@scripts/lint.sh

generate: ## rewrite what is generated: golden files, the packs' JSON, the schema
	$(GO) test . ./rules/... ./evaluator ./guideline ./detect/toolcall ./decide ./setup ./setup/jsontext ./service ./server/mcp ./server/rest ./server/metrics ./cli -update

fuzz: ## run every fuzz target for FUZZTIME (default 60s each)
	@scripts/fuzz.sh $(FUZZTIME)

clean: ## remove what the build made
	rm -rf $(BIN) .build .tools coverage
