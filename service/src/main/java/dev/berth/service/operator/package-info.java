/**
 * What an operator's commands ask and change in a cluster: by kubectl, so that they need no rights
 * and no credentials but the caller's own. The service itself never calls the API server.
 */
@NullMarked
package dev.berth.service.operator;

import org.jspecify.annotations.NullMarked;
