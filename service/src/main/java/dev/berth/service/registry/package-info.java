/**
 * The models on disk: every version kept, one of them serving.
 *
 * <p>Promises: a file is complete or absent, whenever the process dies; a version is never
 * overwritten; rolling back is one small write. Knows nothing of what is inside a model.
 */
@NullMarked
package dev.berth.service.registry;

import org.jspecify.annotations.NullMarked;
