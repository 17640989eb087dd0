/**
 * Experiments of {@code berth ab}: what serves by the timetable, what is measured meanwhile, and
 * what it says.
 *
 * <p>Knows nothing of HTTP, Prometheus or the store.
 */
@NullMarked
package dev.berth.service.experiment;

import org.jspecify.annotations.NullMarked;
