/**
 * How bytes that outlive the process are framed, so that damage and foreign files show; and what is
 * said of names that nothing has. Depends on nothing; reading and writing files is left to the
 * service.
 */
@NullMarked
package dev.berth.policy.file;

import org.jspecify.annotations.NullMarked;
