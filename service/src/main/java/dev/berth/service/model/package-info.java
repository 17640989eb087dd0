/**
 * Where learned models come from: the ones that ship inside the service, and files. Makes policies
 * of them for the command line and the scorer.
 */
@NullMarked
package dev.berth.service.model;

import org.jspecify.annotations.NullMarked;
