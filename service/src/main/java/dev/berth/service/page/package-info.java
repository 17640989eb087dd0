/**
 * The page to keep open: its files, and the figures it draws as small answers made for it.
 *
 * <p>Promises: reading changes nothing; however many look on, the figures are made at most every
 * two seconds, and the scorer's lock is held for a few hundred nodes at a time.
 */
@NullMarked
package dev.berth.service.page;

import org.jspecify.annotations.NullMarked;
