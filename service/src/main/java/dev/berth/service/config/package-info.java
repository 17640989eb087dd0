/**
 * The configuration of the service: one YAML file bound strictly into immutable records.
 *
 * <p>Promises: every key has a documented default, is checked at start, and is read by somebody; a
 * mistake is reported with its line, the key's name, the value and the fix, all mistakes at once.
 */
@NullMarked
package dev.berth.service.config;

import org.jspecify.annotations.NullMarked;
