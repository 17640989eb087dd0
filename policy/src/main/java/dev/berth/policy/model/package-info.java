/**
 * Model files: weights and optimiser state as checked bytes.
 *
 * <p>Promises: what is read was written whole, for these features and on top of this base, or it is
 * refused with the reason. Bytes only: where they are kept is somebody else's business.
 */
@NullMarked
package dev.berth.policy.model;

import org.jspecify.annotations.NullMarked;
