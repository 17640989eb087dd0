# Berth: `make demo` runs it, `make test` proves it, `make help` lists the rest.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
ifneq ($(words $(CURDIR)),1)
$(error a space in "$(CURDIR)": neither make nor the local cluster can work there, choose a folder without one)
endif
MVN := mvn -B -q

# One environment for every Go build: a different flag here means compiling Kubernetes twice.
export CGO_ENABLED := 0
export GOFLAGS := -trimpath -buildvcs=false
export GOTOOLCHAIN := local

BIN := $(CURDIR)/.build/bin
CLUSTER := $(BIN)/berth-cluster
JAVA_MODULES := policy simulator service workbench
JAVA_SOURCES := $(shell find $(JAVA_MODULES) -path '*/src/main/*' -type f) pom.xml $(JAVA_MODULES:%=%/pom.xml)

.PHONY: help
help: ## List the targets
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-23s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

##### Building

.PHONY: preflight
preflight:
	@cluster/preflight.sh

.PHONY: build
build: preflight workbench/target/berth-workbench.jar ## Build the Java side: bin/berth

workbench/target/berth-workbench.jar: $(JAVA_SOURCES)
	@echo "building bin/berth (Java)"
	@cluster/patiently.sh "bin/berth" $(MVN) package -DskipTests
	@touch $@

.PHONY: tools
tools: preflight ## Build Kubernetes, etcd, KWOK, Prometheus into .build/bin when missing or changed
	@mkdir -p $(BIN)
	@cd cluster && ./patiently.sh berth-cluster go build -o $(BIN)/berth-cluster ./cmd/berth-cluster
	@cd cluster && go run ./cmd/buildtools $(CURDIR)

.PHONY: scheduler
scheduler: preflight ## Build kube-scheduler with the Berth plugin: .build/bin/berth-scheduler
	@mkdir -p $(BIN)
	@cd scheduler-plugin-go && ../cluster/patiently.sh "kube-scheduler with the plugin" go build -ldflags '-s -w' -o $(BIN)/berth-scheduler ./cmd/berth-scheduler

.PHONY: format
format: ## Format the Java and Go sources
	@$(MVN) spotless:apply
	@gofmt -w scheduler-plugin-go cluster mutate

.PHONY: browser
browser: ## Install the browser that the page's tests look through (Debian's chromium), where that is possible
	@cluster/browser.sh

##### A real cluster on this machine (docs/local-cluster.md)

.PHONY: up
up: tools build ## Start the local cluster, or mend a damaged one
	@$(CLUSTER) up

.PHONY: status
status: ## What of the local cluster runs, where, and its logs
	@$(CLUSTER) status

.PHONY: down
down: ## Stop the local cluster and all that was started with it
	@if [[ -x $(BIN)/berth-cluster ]]; then $(CLUSTER) down; fi

.PHONY: demo
demo: tools build scheduler ## The main job: one workload under the stock scheduler, then under Berth (5-6 minutes)
	@bin/berth demo $(DEMO_FLAGS)

##### Tests

.PHONY: test
test: test-java soak-short test-plugin race-short check-mutants differential check-deploy notebook bench-scheduler-short test-cluster test-e2e ## Every test that takes no hour and no container engine, fast ones first, the real control plane last

.PHONY: test-java
test-java: preflight browser ## Java unit and HTTP tests
	@echo "== Java: format, unit and HTTP tests"
	@$(MVN) spotless:check package

.PHONY: test-plugin
test-plugin: tools build scheduler ## The scheduler plugin: unit tests, and a real scheduler against a faulty service
	@echo "== plugin: unit tests and envtest"
	@cd scheduler-plugin-go && go vet ./... && KUBEBUILDER_ASSETS=$(BIN) go test ./...

.PHONY: stress-plugin
stress-plugin: tools build scheduler ## GPU cards under faults for ten minutes, and twenty rounds of hostile pods, by the real scheduler and service
	@cd scheduler-plugin-go && BERTH_CARDS_SECONDS=600 BERTH_HOSTILE_ROUNDS=20 go test -count=1 -timeout 90m -v -run 'TestCards|TestNothing' ./test/envtest

.PHONY: race
race: preflight ## The plugin's unit tests under Go's race detector (needs a C compiler; compiles Kubernetes once more: ten minutes the first time)
	@command -v gcc > /dev/null || { echo "race: NOT RUN: the race detector needs a C compiler (gcc)"; exit 1; }
	@cd scheduler-plugin-go && CGO_ENABLED=1 go test -race -count=1 $(or $(PACKAGES),./pkg/...)

.PHONY: race-short
race-short: preflight ## The same for what talks to the service, which needs next to nothing of Kubernetes (skipped, and said so, without a C compiler)
	@echo "== race detector: client and outcomes"
	@if command -v gcc > /dev/null; then $(MAKE) --no-print-directory race PACKAGES='./pkg/client ./pkg/outcome ./pkg/appendjson'; \
	  else echo "skipped: the race detector needs a C compiler (gcc)"; fi

.PHONY: audit
audit: preflight ## Known vulnerabilities of what is used, by govulncheck and OWASP Dependency-Check (skipped, and said so, where their databases cannot be had)
	@cluster/audit.sh

.PHONY: audit-go
audit-go: preflight ## The same of the Go modules alone; their database comes as a Go module where nothing else is reached (170 s of processor, 6 GB)
	@cluster/audit.sh go

.PHONY: lint-go
lint-go: ## gofmt and go vet on the Go sources
	@cd scheduler-plugin-go && test -z "$$(gofmt -l . ../cluster ../mutate)" || { gofmt -l . ../cluster ../mutate; echo "run 'make format'"; exit 1; }
	@cd scheduler-plugin-go && go vet ./...

.PHONY: test-cluster
test-cluster: tools ## Starting, damaging, mending and stopping a real cluster
	@echo "== cluster: settings, building, and a real one started, damaged, mended, stopped"
	@cd cluster && go vet ./... && go test -count=1 ./...

.PHONY: test-e2e
test-e2e: tools build scheduler browser ## The whole path on a real control plane: scheduler, service, Prometheus, faults
	@echo "== end to end: a real control plane, the service killed, Prometheus stopped"
	@$(MVN) -pl workbench -am test -DforkCount=1 -Dgroups=cluster -Dexcluded.groups=slow -Dsurefire.failIfNoSpecifiedTests=false

.PHONY: walk-modes
walk-modes: tools build scheduler ## shadow, canary, active, off on a cluster of its own: the outputs of docs/modes.md (2 minutes)
	@cluster/walk-modes.sh

.PHONY: repeat-e2e
repeat-e2e: tools build scheduler ## test-e2e RUNS (30) times in a row, beside HOGS (0) loops that burn a processor each
	@$(MVN) test-compile dependency:build-classpath -Dmdep.outputFile=target/classpath
	@CLASSPATH="$(TEST_CLASSPATH)" workbench/repeat-e2e.sh $(or $(RUNS),30) $(or $(HOGS),0)

.PHONY: test-faults
test-faults: tools build scheduler ## Every fault of docs/reliability.md on a real control plane, and the table there (6 minutes; some of them in make test; a part: FAULTS=SchedulerFaultsTest)
	@$(MVN) -pl workbench -am test -DforkCount=1 -Dgroups=faults -Dexcluded.groups=slow $(if $(FAULTS),-Dtest='$(FAULTS)') -Dsurefire.failIfNoSpecifiedTests=false
	@awk 'FNR == NR {table = table $$0 "\n"; next} /^<!-- end of the table -->/ {inside = 0} !inside {print} /^<!-- table of make test-faults -->/ {printf "%s", table; inside = 1}' \
	  out/faults/faults.md docs/reliability.md > out/faults/reliability.md && cp out/faults/reliability.md docs/reliability.md

.PHONY: check-deploy
check-deploy: tools build scheduler service-image ## Everything that is deployed, by the strictest means that need no container engine
	@echo "== deploy: images, kind, manifests, rules"
	@cd manifests/check && go vet ./... && go test -count=1 ./...

.PHONY: service-image
service-image: preflight
	@rm -rf service/image/target # what is no dependency any more would stay
	@$(MVN) -Pimage -pl service/image -am -Dmaven.test.skip=true package

.PHONY: test-kind
test-kind: ## docs/kind.md, docs/install.md and the Job of docs/sweeps.md word for word, on kind (needs a container engine; 20 minutes)
	@manifests/walk/kind.sh
	@manifests/walk/install.sh
	@manifests/walk/sweep.sh

.PHONY: test-compose
test-compose: ## The commands of compose.yaml (needs a container engine with compose)
	@manifests/walk/compose.sh

.PHONY: check-mutants
check-mutants: ## Every mutant still applies to the code as it is, and its test is there
	@echo "== mutants: each applies, its test is there"
	@cd mutate && go vet ./... && go test ./... && go run . -check

.PHONY: mutate-short
mutate-short: preflight ## A handful of the plugin's mends taken out: their tests notice; mutants that no longer apply are named
	@echo "== mutate: a handful of mends taken out, one at a time"
	@cd mutate && go run . -only 'P1|P3|P4|P11'

.PHONY: differential
differential: build ## The simulator's default profile against the real kube-scheduler's, decision by decision
	@echo "== differential: recorded runs through the real default profile"
	@mkdir -p out/differential
	@for s in heterogeneous deployments-mixed-50 n10-unequal-short-jobs-50; do \
	  bin/berth simulate $$s --policy default-spread --seed 1 --record out/differential/$$s.jsonl | tail -1; done
	@cd scheduler-plugin-go && go run ./differential $(CURDIR)/out/differential/*.jsonl

.PHONY: notebook
notebook: build ## Execute the notebook (sweep and leaderboard, drawn) and a small version of evidence-learnable (out/notebook, out/learnable-small)
	@echo "== notebook: every cell runs"
	@notebooks/run

##### Evidence

.PHONY: screenshots
screenshots: tools build scheduler browser ## Remake the page's pictures in docs/img, of a real cluster (five minutes; needs a browser)
	@$(MVN) -pl workbench -am test -Dtest=PageScreenshots -Dberth.screenshots=$(CURDIR)/docs/img -Dsurefire.failIfNoSpecifiedTests=false
	@ls -l docs/img/page*.png

.PHONY: bench-page
bench-page: preflight browser ## The page at 5,000 nodes: milliseconds a frame, bytes a minute (two minutes)
	@$(MVN) -pl service -am test -Dtest=PageOfManyNodesTest -Dberth.page.seconds=60 -Dsurefire.failIfNoSpecifiedTests=false

BENCH_CASES := (Basic|Churn|Spreading|Affinity|AntiAffinity)-(shipped|all)-(500|5000)-.*

PERF_OUT := out/bench-scheduler
PERF_JSON := out/bench/scheduler.json

.PHONY: bench-scheduler
bench-scheduler: tools build ## Pods/s of the real scheduler: stock, no-op plugin, Berth in shadow and active with its service (docs/performance-scheduler.md; RUNS=5, CASES='Basic-.*')
	@rm -rf $(PERF_OUT) && mkdir -p $(PERF_OUT) out/bench
	@echo "compiling scheduler_perf, then $(or $(RUNS),5) passes over $(or $(CASES),$(BENCH_CASES)); logs: $(PERF_OUT)/pass-*/*/log"
	@cd scheduler-plugin-go && go test -c -o $(CURDIR)/$(PERF_OUT)/perf.test ./perf
	@cd scheduler-plugin-go/perf && PATH=$(BIN):$$PATH TEST_SRCDIR=$$(go env GOMODCACHE) TEST_WORKSPACE=. exec $(CURDIR)/$(PERF_OUT)/perf.test \
	  -passes=$(or $(RUNS),5) -cases='$(or $(CASES),$(BENCH_CASES))' -out=$(CURDIR)/$(PERF_OUT) -json=$(CURDIR)/$(PERF_JSON) $(PERF_FLAGS) -v=0

.PHONY: bench-scheduler-short
bench-scheduler-short: ## The same once over 100 nodes, stock and active: that it runs, not how fast
	@echo "== scheduler_perf: stock and Berth active, 100 nodes"
	@$(MAKE) --no-print-directory bench-scheduler RUNS=1 CASES='Basic-shipped-100-(Stock|Active)' PERF_OUT=out/bench-scheduler-short PERF_JSON=out/bench-scheduler-short/scheduler.json

.PHONY: rivals
rivals: ## Install what bench-score and bench-learning measure ours beside: Flask, PyTorch, gymnasium (2.4 GB to fetch), into .build/rivals
	@workbench/rivals/install

.PHONY: bench-score
bench-score: build ## Latency of /score by policy, candidates and connections, while learning, and beside Flask + PyTorch (docs/performance.md), into out/bench/score.json
	@python=$$(workbench/rivals/python) && bin/berth bench-score --out out/bench/score.json $${python:+--rival-python "$$python"} $(SCORE_FLAGS)

.PHONY: bench-simulator
bench-simulator: build ## Cost of a simulated decision by candidates, and the suite's CPU (docs/performance.md), into out/bench/simulator.json
	@JAVA_OPTS="-XX:+UseSerialGC $${JAVA_OPTS:-}" bin/berth bench-simulator --policies $(SUITE_POLICIES) --out out/bench/simulator.json $(SIMULATOR_FLAGS)

.PHONY: bench-first-score
bench-first-score: build service-image ## From the start of the service, as its image starts it, until it listens, and its first scores, into out/bench/first-score.json (docs/performance.md; STARTS=10)
	@bin/berth bench-score --first $(or $(STARTS),10) --candidates 100 --policy dqn --out out/bench/first-score.json

.PHONY: soak
soak: build service-image ## The service under load inside its shipped memory limit (docs/performance.md; one hour)
	@bin/berth soak $(SOAK_FLAGS)

.PHONY: soak-cluster
soak-cluster: tools build scheduler ## 100,000 pods come and go on 1,000 fake nodes through the real scheduler: errors, latency, memory of every process, as a picture in out/soak-cluster (hours; PODS=5000 NODES=100)
	@$(MVN) -pl workbench -am test -Dtest=ClusterSoak -Dsoak.pods=$(or $(PODS),100000) -Dsoak.nodes=$(or $(NODES),1000) -Dsurefire.failIfNoSpecifiedTests=false
	@ls -l out/soak-cluster

.PHONY: soak-short
soak-short: build service-image ## The same for two minutes; other work may slow it, so answers may take ten seconds
	@echo "== soak: two minutes inside the memory limit"
	@bin/berth soak --minutes 1 --patience 10

.PHONY: evidence-demo
evidence-demo: tools build scheduler ## make demo with seeds 1 to RUNS (10) or SEEDS=3,7-9, unattended; from ten on the table is docs/demo.md (7 minutes a run; done runs are kept)
	@bin/berth evidence-demo --seeds $(or $(SEEDS),1-$(or $(RUNS),10))

RIVALS := koordinator-1.8,koordinator-1.8+stock,koordinator-1.8-fresh,target-load-packing-0.34,target-load-packing-0.34+spread,load-variation-risk-0.34,load-variation-risk-0.34+spread

# The first five that are no stock profile are drawn.
SUITE_POLICIES = default,default-spread,least-allocated,hot-value,predict-then-greedy,oracle-owners,oracle-profile,usage-plus-estimate,$(RIVALS)

.PHONY: evidence-suite
evidence-suite: build ## The suite of docs/evaluation.md, written to docs/suite.md (10 minutes)
	@bin/berth leaderboard --scenarios train,unseen --seeds 10 --out out/suite \
	  --policies $(SUITE_POLICIES)
	@cp out/suite/leaderboard.md docs/suite.md && cp out/suite/scenarios.png docs/img/suite.png
	@$(MAKE) --no-print-directory evidence-live

# Of the scenarios never trained on: every workload, with enough load to hurt.
EQUAL_PAIN_SCENARIOS := n10-antiphase-long-lived-60,n10-batch-80-s15,n10-churn-50-s60-l30,n10-overrequested-80,n10-short-jobs-80-s60,n10-unequal-hot-burst-80

.PHONY: evidence-equal-pain
evidence-equal-pain: build ## Load carried and nodes needed at the stock profile's pain, into out/equal-pain/equal-pain.md (docs/evaluation.md; an hour of two quiet cores; goes on where it was killed)
	@bin/berth leaderboard --equal-pain --seeds $(or $(SEEDS),10) --out out/equal-pain --scenarios $(or $(SCENARIOS),$(EQUAL_PAIN_SCENARIOS)) \
	  --policies $(or $(POLICIES),default-spread,koordinator-1.8,koordinator-1.8-fresh,usage-plus-estimate,predict-then-greedy,oracle-profile)

.PHONY: evidence-live
evidence-live: build ## What a live cluster adds to the suite, written to docs/live-suite.md (3 minutes)
	@bin/berth leaderboard --scenarios live --seeds $(or $(SEEDS),10) --out out/live \
	  --policies default-spread,usage-plus-estimate,oracle-owners,predict-then-greedy
	@cp out/live/leaderboard.md docs/live-suite.md

.PHONY: evidence-ab
evidence-ab: build ## Experiments where the truth is known, written to docs/experiments-suite.md (20 minutes of a quiet core; goes on where it was killed)
	@bin/berth evidence-ab --out out/evidence-ab
	@cp out/evidence-ab/table.md docs/experiments-suite.md

.PHONY: evidence-real
evidence-real: build ## Recorded usage and arrivals (docs/real-load.md), written to docs/real-suite.md; needs BERTH_TRACES (13 minutes; started again, it goes on)
	@if [[ ! -d "$${BERTH_TRACES:-}" ]]; then \
	  echo "skipped: no recorded data; set BERTH_TRACES to the folder of the traces that docs/real-load.md names"; else \
	  simulator/scenarios/real/histories.sh "$$BERTH_TRACES" out/histories && \
	  BERTH_HISTORIES=$(CURDIR)/out/histories bin/berth leaderboard --scenarios real --seeds $(or $(SEEDS),10) --out out/real \
	    --policies default-spread,koordinator-1.8,koordinator-1.8+stock,oracle-now,oracle-owners,oracle-running,oracle-profile,predict-then-greedy:no-pod-samples,predict-then-greedy && \
	  cp out/real/leaderboard.md docs/real-suite.md; fi

.PHONY: evidence-learnable
evidence-learnable: build ## What of the forecast's errors can be learned, by days and owners held out, into out/learnable; needs BERTH_TRACES (half an hour; started again, it goes on)
	@if [[ ! -d "$${BERTH_TRACES:-}" ]]; then \
	  echo "skipped: no recorded data; set BERTH_TRACES to the folder of the traces that docs/real-load.md names"; else \
	  simulator/scenarios/real/histories.sh "$$BERTH_TRACES" out/histories && \
	  notebooks/python notebooks/learnable.py out/histories out/learnable && \
	  notebooks/python notebooks/common_factors.py out/histories/{planetlab,google2011}.csv.gz; fi

ABLATION_SCENARIOS := n10-steady-50,n10-diurnal-50-heavy,n10-churn-80,n10-burst-80-s60-l30,n10-short-jobs-80-s60,n10-antiphase-long-lived-60,n10-unequal-hot-burst-80,n10-batch-80-s15
ABLATED := ledger departures window owner-ratios time-of-day excess per-pod node-speed hedge lifetime joint samples
EMPTY :=
COMMA := ,

# What the mutants' tests run with: the classes of all modules and their tests, and every jar that they need.
TEST_CLASSPATH := $$(printf '%s:' $(JAVA_MODULES:%=$(CURDIR)/%/target/classes) $(JAVA_MODULES:%=$(CURDIR)/%/target/test-classes))$$(cat $(CURDIR)/workbench/target/classpath)

.PHONY: mutate
mutate: tools scheduler service-image ## Take each mend out, one at a time: its test must fail; written to docs/mutants.md (MUTANTS='L1|P5': only these; done ones are kept)
	@$(MVN) test-compile dependency:build-classpath -Dmdep.outputFile=target/classpath
	@cd mutate && go run . -only '$(MUTANTS)' -classpath "$(TEST_CLASSPATH)" -table $(if $(MUTANTS),$(CURDIR)/out/mutate/mutants.md,$(CURDIR)/docs/mutants.md)

ABLATIONS = predict-then-greedy$(subst $(EMPTY) $(EMPTY),,$(ABLATED:%=$(COMMA)predict-then-greedy:no-%))

.PHONY: evidence-ablations
evidence-ablations: build ## What each part of the prediction is worth, written to docs/ablations.md (20 minutes)
	@bin/berth leaderboard --seeds $(or $(SEEDS),10) --out out/ablations \
	  --scenarios $(or $(SCENARIOS),$(ABLATION_SCENARIOS)) --policies default,usage-plus-estimate,oracle-profile,$(ABLATIONS)
	@cp out/ablations/leaderboard.md docs/ablations.md

REAL_ABLATION_SCENARIOS := planetlab-steady-60,google2011-churn-60,google2011-mean-80

.PHONY: evidence-ablations-real
evidence-ablations-real: build ## The same on recorded usage, written to docs/ablations-real.md; needs BERTH_TRACES (4 minutes)
	@if [[ ! -d "$${BERTH_TRACES:-}" ]]; then \
	  echo "skipped: no recorded data; set BERTH_TRACES to the folder of the traces that docs/real-load.md names"; else \
	  simulator/scenarios/real/histories.sh "$$BERTH_TRACES" out/histories && \
	  BERTH_HISTORIES=$(CURDIR)/out/histories bin/berth leaderboard --seeds $(or $(SEEDS),10) --out out/ablations-real \
	    --scenarios $(or $(SCENARIOS),$(REAL_ABLATION_SCENARIOS)) --policies default-spread,$(ABLATIONS),predict-then-greedy:no-pod-samples && \
	  cp out/ablations-real/leaderboard.md docs/ablations-real.md; fi

LEARNING_SPEED = $(MVN) -pl policy test -Dberth.out=$(CURDIR)/out/bench -Dberth.updates=$(or $(UPDATES),1000000)

.PHONY: bench-learning
bench-learning: bench-learning-speed bench-learning-memory bench-learning-returns ## How fast and how well DQN learns CartPole-v1, ours beside CleanRL's (docs/learning.md; three parts, each a target)

.PHONY: bench-learning-speed
bench-learning-speed: preflight ## Steps and updates a second of DQN, ours beside CleanRL's, by turns, into out/bench/learning.json (two minutes)
	@python=$$(workbench/rivals/python) && if [[ -n $$python ]]; then \
	  $(LEARNING_SPEED) -Dtest='LearningSpeed#steps*' -Dberth.rival="$$python" | grep --line-buffered '^|'; fi

.PHONY: bench-learning-memory
bench-learning-memory: preflight ## Resident memory over a million updates of DQN, into out/bench/learning-memory.json (8 minutes; UPDATES=100000)
	@$(LEARNING_SPEED) -Dtest='LearningSpeed#resident*' | grep --line-buffered '^|'

.PHONY: bench-learning-returns
bench-learning-returns: preflight ## Returns on CartPole-v1 with CleanRL's settings beside what others publish (10 minutes)
	@$(MVN) -pl policy test -Dexcluded.groups= -Dtest='CartPoleTest' | grep --line-buffered -E '^[|]|, run [0-9]+ of '

.PHONY: bench-pod-usage
bench-pod-usage: preflight ## What usage of pods costs the service, to 5,000 nodes of 30 pods (3 minutes)
	@$(MVN) -pl service -am test -Dexcluded.groups=none -Dtest=PodUsageCostTest -Dsurefire.failIfNoSpecifiedTests=false | grep --line-buffered '^|'

.PHONY: docs-config
docs-config: preflight ## Rewrite docs/configuration.md from the code
	@$(MVN) -pl service -am test -Dtest=ConfigLoaderTest -Dberth.write-docs=true -Dsurefire.failIfNoSpecifiedTests=false

.PHONY: gpu-evidence
gpu-evidence: preflight ## GPU fill-up on the openb trace: the published table beside ours (docs/gpu.md; needs BERTH_TRACES)
	@$(MVN) -pl simulator -am test -Dtest=GpuEvidenceTest -Dexcluded.groups=none -Dsurefire.failIfNoSpecifiedTests=false
