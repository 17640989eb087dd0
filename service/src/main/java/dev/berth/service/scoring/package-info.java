/**
 * One decision end to end: the request, what is known of the cluster, the policy, the answer.
 *
 * <p>Promises: every answer has one integer 0..100 per candidate in request order, whatever the
 * policy does; unknown is neutral. Knows nothing of HTTP, SQL or PromQL.
 */
@NullMarked
package dev.berth.service.scoring;

import org.jspecify.annotations.NullMarked;
