/**
 * The service's own metrics, one class with a full sentence of help each.
 *
 * <p>Promises: names start with {@code berth_}; labels have a small fixed set of values.
 */
@NullMarked
package dev.berth.service.metrics;

import org.jspecify.annotations.NullMarked;
