// Figures as people read them. Unknown is a word, never a zero.

export const UNKNOWN = 'unknown';

export function known(value) {
  return value !== null && value !== undefined && Number.isFinite(value);
}

/** Of thousandths. */
export function percent(milli, digits = 0) {
  return known(milli) ? `${(milli / 10).toFixed(digits)} %` : UNKNOWN;
}

export function signedPercent(milli) {
  return known(milli) ? `${milli > 0 ? '+' : ''}${(milli / 10).toFixed(1)} %` : UNKNOWN;
}

export function small(value) {
  return known(value) ? `${value > 0 ? '+' : ''}${value.toFixed(4)}` : 'not measured yet';
}

/** A preference, as berth explain prints it: in thousandths. */
export function thousandths(value) {
  return known(value) ? `${value > 0 ? '+' : ''}${(1000 * value).toFixed(3)}` : UNKNOWN;
}

export function count(value) {
  return value.toLocaleString('en');
}

export function ago(seconds) {
  if (!known(seconds)) {
    return UNKNOWN;
  }
  if (seconds < 90) {
    return `${Math.max(0, Math.round(seconds))} s`;
  }
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

export function clock(epochSeconds) {
  return new Date(epochSeconds * 1000).toLocaleTimeString('en-GB');
}

export function ahead(seconds) {
  return seconds === 0 ? 'now' : `${Math.round(seconds / 60)} min ahead`;
}
