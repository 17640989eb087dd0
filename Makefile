# Berth: `make demo` runs it, `make test` proves it, `make help` lists the rest.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MVN := mvn -B -q

# One environment for every Go build: a different flag here means compiling Kubernetes twice.
export CGO_ENABLED := 0
export GOFLAGS := -trimpath -buildvcs=false
export GOTOOLCHAIN := local

.PHONY: help
help: ## List the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build the Java side: bin/berth
	@$(MVN) package -DskipTests

.PHONY: format
format: ## Format the Java and Go sources
	@$(MVN) spotless:apply
	@gofmt -w scheduler-plugin-go

.PHONY: test
test: test-java ## Every test, fast ones first, the real control plane last

.PHONY: test-java
test-java: ## Java unit and HTTP tests
	@$(MVN) spotless:check package
