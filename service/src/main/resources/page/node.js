// One node: what it carries by every reckoning, and its GPU cards as cards.

import { by, el, fill } from './dom.js';
import { STATES } from './nodes.js';
import { UNKNOWN, ahead, clock, known, percent, signedPercent } from './format.js';

function term(name, value) {
  return el('div', {}, el('dt', {}, name), el('dd', {}, value));
}

export function showNode(cluster, i) {
  const { roster, loads } = cluster;
  const panel = by('node');
  const cores = roster.cpuMilli[i] / 1000;
  const gpus = roster.gpus[i];
  const sampled = loads.sampledAt[i];
  const place = [
    ['zone', roster.zones[roster.zone[i]]],
    ['rack', roster.racks[roster.rack[i]]],
  ].filter(([, name]) => name);
  fill(
    panel,
    el('h3', {}, roster.names[i]),
    el('p', { class: 'summary' }, [...place.map(([kind, name]) => `${kind} ${name}`), roster.pools[roster.pool[i]] ?? 'size unknown'].join(' · ')),
    el(
      'dl',
      {},
      term('last sample', known(sampled) ? `${STATES[loads.state[i]]}, of ${clock(sampled)}` : STATES[loads.state[i]]),
      term('CPU measured', known(loads.cpu[i]) ? `${percent(loads.cpu[i], 1)}, ${((loads.cpu[i] / 1000) * cores).toFixed(1)} cores` : UNKNOWN),
      term('in flight', signedPercent(loads.inFlight[i])),
      term('CPU requested', percent(loads.cpuRequested[i], 1)),
      term('memory measured', percent(loads.memory[i], 1)),
      term('memory requested', percent(loads.memoryRequested[i], 1)),
      term('pods', known(loads.pods[i]) ? `${loads.pods[i]} of ${roster.podLimit[i]}` : UNKNOWN),
      ...loads.horizons.map((seconds, h) => term(`CPU forecast, ${ahead(seconds)}`, percent(loads.forecast[h][i], 1))),
    ),
    cluster.measured(i) ? null : el('p', { class: 'warn' }, 'Without a usable sample the forecast comes from what was bound here alone.'),
    gpus ? el('h3', {}, `${gpus.freeMilli.length} cards${gpus.model ? ` ${gpus.model}` : ''}, as of the last pod that asked for one`) : null,
    gpus ? el('ul', { class: 'cards' }, ...gpus.freeMilli.map(card)) : null,
    el('button', { type: 'button', onclick: () => hide(panel) }, 'Close'),
  );
  panel.hidden = false;
}

function card(freeMilli, n) {
  const used = 1000 - freeMilli;
  return el(
    'li',
    {},
    el('div', {}, `card ${n}`),
    el('meter', { min: 0, max: 1000, value: used, 'aria-label': `card ${n}, given away` }),
    el('div', {}, `${percent(used)} given`),
  );
}

function hide(panel) {
  panel.hidden = true;
  by('heat').focus();
}
