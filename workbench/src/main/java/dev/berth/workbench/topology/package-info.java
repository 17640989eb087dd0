/**
 * Rack and server labels for node and pod lists that have none. Reads and writes YAML and CSV
 * files; depends on nothing else of the service.
 */
@NullMarked
package dev.berth.workbench.topology;

import org.jspecify.annotations.NullMarked;
