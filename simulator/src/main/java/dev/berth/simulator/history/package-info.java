/**
 * Recorded usage as files: Berth's own format of it, which scenarios and the usage exporter play.
 * The published formats of others are read by the workbench ({@code berth import}).
 */
@NullMarked
package dev.berth.simulator.history;

import org.jspecify.annotations.NullMarked;
