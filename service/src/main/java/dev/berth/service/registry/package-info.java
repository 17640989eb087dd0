/**
 * The models on disk: those that served and the newest that did not, one of them serving.
 *
 * <p>Promises: a file is complete or absent, whenever the process dies; a version is never
 * overwritten; rolling back is one small write. Knows nothing of what is inside a model.
 */
@NullMarked
package dev.berth.service.registry;

import org.jspecify.annotations.NullMarked;
