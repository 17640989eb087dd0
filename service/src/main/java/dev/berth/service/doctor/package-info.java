/**
 * {@code berth doctor}: what keeps Berth from working, each finding with the command that mends it,
 * the cause before what follows from it. Looks, and changes nothing.
 */
@NullMarked
package dev.berth.service.doctor;

import org.jspecify.annotations.NullMarked;
