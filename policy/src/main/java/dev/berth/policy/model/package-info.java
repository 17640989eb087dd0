/**
 * The one model file: a trained network and what must fit it, as self-describing checked bytes,
 * whatever it was trained for. No files are touched here; whoever stores the bytes does so
 * atomically.
 */
@NullMarked
package dev.berth.policy.model;

import org.jspecify.annotations.NullMarked;
