/**
 * Published traces, turned into Berth's own files: recorded usage ({@link
 * dev.berth.simulator.history.HistoryFile}) and arrivals ({@link
 * dev.berth.simulator.history.ArrivalsFile}). A reader takes any file of a published format;
 * nothing here knows a file by its name or size. Used by {@code berth import} alone.
 */
@NullMarked
package dev.berth.workbench.importer;

import org.jspecify.annotations.NullMarked;
