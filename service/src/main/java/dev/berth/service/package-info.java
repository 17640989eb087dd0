/**
 * The service: wires configuration, store, Prometheus, scorer, trainer and HTTP into one process.
 *
 * <p>Promises: parts are built in the order they depend on each other and closed in reverse. May
 * depend on everything below it.
 */
@NullMarked
package dev.berth.service;

import org.jspecify.annotations.NullMarked;
