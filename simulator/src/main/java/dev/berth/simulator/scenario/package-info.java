/**
 * One strict YAML file per scenario: nodes, workload, usage, metrics, faults. A bad key or value is
 * an error that names file, line, key and fix; nothing is ever silently ignored.
 */
@NullMarked
package dev.berth.simulator.scenario;

import org.jspecify.annotations.NullMarked;
