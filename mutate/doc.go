// Mutate takes mends out, one at a time, and demands that the test which is there for it fails. A test that passes with
// and without its mend proves nothing.
//
// mutants/*.txt hold them:
//
//	== L4 the gate promotes weights that gain nothing
//	test PromotionGateTest weightsThatChooseTheSameGainNothingAndAreKeptBack
//	in policy/src/main/java/dev/berth/policy/agent/PromotionGate.java
//	-gain > 0
//	+gain >= 0
//
// A test is a JUnit class or the folder of a Go package, and optionally one method or function of it. What follows - is
// searched for as it stands and must occur exactly once; lines in a row are one text. Replacements of short texts outlive
// more changes of the code around them than patches do.
//
// Everything happens in a copy of the checkout (out/mutate/tree). First all tests must pass there as the code is; then
// for each mutant its files are compiled, its test is run and must fail, as a test: what does not compile, does not end
// or runs no test was not noticed. Results are kept while mutant, code and test stay as they are, so that an interrupted
// run goes on where it was. A mutant that no longer applies is named; it fails the run if it is one of those that were
// asked for.
package main
