# guardrails: one word a task. `make run` shows the product at work, `make test` proves it.
GO      ?= go
BIN     := bin
FLAGS   := -trimpath -buildmode=exe -ldflags "-s -w"
FUZZTIME ?= 60s

export CGO_ENABLED = 0

.PHONY: build run test bench lint fuzz clean generate

build: ## build the command line into bin/
	@for command in cmd/*; do $(GO) build $(FLAGS) -o $(BIN)/ ./$$command || exit 1; done

run: build ## build, and show the engine at work on the default guidelines
	@scripts/demo.sh $(BIN)/guardrails

test: ## everything that CI runs: vet on three systems, lint, tests with the race detector, coverage, budgets
	@scripts/test.sh

bench: build ## measure the budgets; fails when one is missed by more than a quarter
	@scripts/bench.sh

lint: ## golangci-lint, installed into .tools when it is missing
	@scripts/lint.sh

generate: ## rewrite what is generated: golden files, the packs' JSON, the schema
	$(GO) test ./rules ./evaluator ./guideline/... ./cmd/... -update

fuzz: ## run every fuzz target for FUZZTIME (default 60s each)
	@scripts/fuzz.sh $(FUZZTIME)

clean: ## remove what the build made
	rm -rf $(BIN) .tools coverage
