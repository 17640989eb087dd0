/**
 * Queues that are bounded in bytes, because records differ in size by a factor of a thousand, and
 * small things that are bounded by their number.
 */
@NullMarked
package dev.berth.service.queue;

import org.jspecify.annotations.NullMarked;
