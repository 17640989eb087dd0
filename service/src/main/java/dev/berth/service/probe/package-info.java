/**
 * Asks the service as the plugin does, over a socket and about a synthetic cluster: before it
 * listens, so that the first pod does not meet cold code, and to measure it.
 *
 * <p>Promises: what is asked here never reaches the cluster state, the store or the metrics of a
 * service that serves.
 */
@NullMarked
package dev.berth.service.probe;

import org.jspecify.annotations.NullMarked;
