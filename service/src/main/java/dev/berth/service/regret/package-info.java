/**
 * The real choice against Berth's: agreement and regret, by the forecast and by what was measured
 * five minutes later, and what to do about it.
 *
 * <p>Promises: runs after the answer, is bounded in bytes, and reads the store row by row.
 */
@NullMarked
package dev.berth.service.regret;

import org.jspecify.annotations.NullMarked;
