// Reads of the service. The token stays in this tab's session storage: no cookie, so nothing is sent by itself.

const KEY = 'berth-token';
const answers = new Map(); // path -> {etag, body, bytes}

export class Unauthorized extends Error {}

export function keepToken(token) {
  sessionStorage.setItem(KEY, token.trim());
}

export function hasToken() {
  return sessionStorage.getItem(KEY) !== null;
}

/**
 * @returns {Promise<{body: any, etag: string, bytes: number, changed: boolean, serverTime: number}>} of a readiness
 *   probe, a 503 is an answer as well
 */
export async function read(path) {
  const before = answers.get(path);
  const headers = {};
  const token = sessionStorage.getItem(KEY);
  if (token !== null) {
    headers.Authorization = `Bearer ${token}`;
  }
  if (before?.etag) {
    headers['If-None-Match'] = before.etag;
  }
  const response = await fetch(path, { headers, cache: 'no-store', credentials: 'omit' });
  const serverTime = Date.parse(response.headers.get('Date') ?? '') / 1000;
  if (response.status === 401) {
    throw new Unauthorized('the service refuses this token');
  }
  if (response.status === 304) {
    return { ...before, changed: false, serverTime };
  }
  if (!response.ok && response.status !== 503) {
    const problem = await response.json().catch(() => ({}));
    throw new Error(problem.detail ?? `${path} is answered with ${response.status}`);
  }
  const body = await response.json();
  const answer = {
    body,
    etag: response.headers.get('ETag') ?? '',
    bytes: Number(response.headers.get('Content-Length') ?? 0),
  };
  if (answer.etag) {
    answers.set(path, answer);
  }
  return { ...answer, changed: true, serverTime };
}
