/**
 * Recorded usage and recorded arrivals as files: Berth's own formats, which scenarios play. The
 * published formats of others are read by the workbench ({@code berth import}).
 */
@NullMarked
package dev.berth.simulator.history;

import org.jspecify.annotations.NullMarked;
