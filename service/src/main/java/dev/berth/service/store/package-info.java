/**
 * The experience store: decisions, outcomes, rewards and the table of running pods, on disk.
 *
 * <p>Promises: what is acknowledged is durable; a full queue drops and counts, it never blocks a
 * score. {@link dev.berth.service.store.ExperienceStore} is all that others see, so another
 * database can stand behind it.
 */
@NullMarked
package dev.berth.service.store;

import org.jspecify.annotations.NullMarked;
