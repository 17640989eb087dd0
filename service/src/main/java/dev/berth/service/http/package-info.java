/**
 * The HTTP edge: routes, the bearer token, messages to and from bytes, errors as problem+json.
 *
 * <p>Promises: Javalin is imported here only; no endpoint that changes state is open to everyone;
 * bad input is answered with the value and the fix. api/openapi.yaml is the contract.
 */
@NullMarked
package dev.berth.service.http;

import org.jspecify.annotations.NullMarked;
