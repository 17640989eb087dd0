/**
 * Rack and server labels for node and pod lists that have none. Reads and writes YAML and CSV
 * files; depends on the simulator's {@code csv} only.
 */
@NullMarked
package dev.berth.workbench.topology;

import org.jspecify.annotations.NullMarked;
