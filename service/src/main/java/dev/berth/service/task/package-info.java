/** The service's own threads, started in one place. */
@NullMarked
package dev.berth.service.task;

import org.jspecify.annotations.NullMarked;
