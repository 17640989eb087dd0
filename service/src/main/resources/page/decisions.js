// The stream of decisions; each opens its explanation.

import { by, el, fill } from './dom.js';
import { clock, percent, small } from './format.js';
import { explain } from './explain.js';

const seen = new Set();

/** Where the pod went, against where Berth would have had it. */
function outcome(d) {
  if (d.reason) {
    return ['neutral', 'warn'];
  }
  if (d.node === null) {
    return ['not bound yet', ''];
  }
  if (d.preferred === null) {
    return ['one of many alike', '']; // more were best than were kept
  }
  return d.node === d.preferred ? [d.explored ? 'explored' : 'as preferred', 'good'] : ['elsewhere', ''];
}

function line(d, fresh) {
  const [word, kind] = outcome(d);
  const [namespace, name] = d.pod.split('/');
  const to = d.node ? `→ ${d.node}` : d.preferred ? `prefers ${d.preferred}` : 'no preference';
  return el(
    'li',
    { class: fresh ? 'new' : null },
    el(
      'button',
      { type: 'button', 'data-decision': d.decision, onclick: () => explain(d) },
      el('span', { class: 'pod', title: d.pod }, name),
      el('time', {}, clock(d.at)),
      el('span', { class: 'to' }, `${to} · ${namespace}`),
      el('span', { class: `tag ${kind}` }, `${d.mode} · ${word}`),
    ),
  );
}

function share(part, whole) {
  return whole ? percent((1000 * part) / whole) : 'none yet';
}

export function showDecisions(list) {
  const first = seen.size === 0;
  const focused = document.activeElement?.dataset?.decision;
  fill(by('decisions'), ...list.map((d) => line(d, !first && !seen.has(d.decision))));
  if (focused) {
    document.querySelector(`[data-decision="${CSS.escape(focused)}"]`)?.focus();
  }
  seen.clear();
  list.forEach((d) => seen.add(d.decision));
  const placed = list.filter((d) => d.node !== null && d.preferred !== null && !d.reason);
  const rewards = list.filter((d) => d.reward !== null).map((d) => d.reward);
  by('decisions-summary').textContent = list.length
    ? `The newest ${list.length}: ${share(placed.filter((d) => d.node === d.preferred).length, placed.length)} of the placed pods are where Berth preferred them` +
      (rewards.length ? `; measured reward ${small(rewards.reduce((a, b) => a + b, 0) / rewards.length)} on ${rewards.length}.` : '.')
    : 'None yet: no scheduler has asked.';
}

/** Modes of the newest decisions, the most frequent first. */
export function modes(list) {
  const counts = new Map();
  list.forEach((d) => counts.set(d.mode, (counts.get(d.mode) ?? 0) + 1));
  return [...counts].sort((a, b) => b[1] - a[1]).map(([mode]) => mode);
}
