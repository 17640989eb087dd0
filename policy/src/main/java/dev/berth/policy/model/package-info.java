/**
 * Model files: everything needed to serve a network, or to go on training it, as self-describing
 * checked bytes. No files are touched here; whoever stores the bytes does so atomically.
 */
@NullMarked
package dev.berth.policy.model;

import org.jspecify.annotations.NullMarked;
