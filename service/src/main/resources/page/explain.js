// Why this node: what was known of the candidates when the pod was asked about, best first.

import { by, el, fill, fillTable } from './dom.js';
import { UNKNOWN, ago, clock, known, percent, small, thousandths } from './format.js';
import { read } from './api.js';

const ROWS = 12;

/** What a base score is the sum of. */
const TERMS = [
  ['balance', 'Balance'],
  ['overload', 'Overload'],
  ['hedge', 'Hedge'],
  ['memory', 'Memory'],
];

export async function explain(line) {
  const dialog = by('why');
  by('why-title').textContent = `Why this node? ${line.pod}`;
  fill(by('why-body'), el('p', {}, 'reading…'));
  if (!dialog.open) {
    dialog.showModal();
  }
  try {
    const path = `/v1/decisions/${line.decision.split('/').map(encodeURIComponent).join('/')}`;
    fill(by('why-body'), ...explanation((await read(path)).body));
  } catch (problem) {
    fill(by('why-body'), el('p', { class: 'bad' }, problem.message));
  }
}

function explanation(d) {
  const nodes = d.nodes;
  const names = nodes.node;
  const took = names.indexOf(d.node);
  const table = el('table');
  const has = (column) => Array.isArray(nodes[column]);
  const heads = ['Node', 'Score', ...(has('base') ? ['Base', ...(d.terms ? TERMS.map(([, head]) => head) : []), 'Learned'] : []), 'Sample age', 'CPU requested', 'Pods'];
  const rows = [...names.keys()].slice(0, ROWS);
  if (took >= ROWS) {
    rows.push(took);
  }
  fillTable(
    table,
    'The candidates, best first',
    heads,
    rows.map((i) => ({
      class: i === took ? 'chosen' : null,
      cells: [
        names[i] + (i === took ? ' (chosen)' : '') + (known(nodes.memoryRoom?.[i]) && nodes.memoryRoom[i] < 1 ? ' (no memory left for it)' : ''),
        String(nodes.score[i]),
        ...(has('base') ? [thousandths(nodes.base[i]), ...(d.terms ? TERMS.map(([term]) => sum(d.terms[term][i])) : []), thousandths(nodes.residual?.[i])] : []),
        known(nodes.sampleAgeSeconds?.[i]) ? ago(nodes.sampleAgeSeconds[i]) : 'no sample',
        percent((1000 * nodes.cpuRequestedMilli[i]) / nodes.cpuMilli[i]),
        String(nodes.podCount[i]),
      ],
    })),
  );
  return [
    el('p', {}, ...sentence(d, names, took)),
    el(
      'p',
      { class: 'summary' },
      `Asked at ${clock(Date.parse(d.at) / 1000)} by ${d.scheduler || 'a scheduler'}, mode ${d.mode}, answered by ${d.policy}` +
        `${d.modelVersion ? ` version ${d.modelVersion}` : ''}. Owner ${d.owner}. ${count(d.candidates)}`,
    ),
    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Candidates' }, table),
    el('p', { class: 'hint' }, `Decision ${d.decision}, basis ${d.basis}. Preferences (base, learned), in thousandths as berth explain has them, are minus what the placement adds to spread and overload; a base is the sum of evening out usage (balance), keeping nodes below their capacity (overload), spreading pods of one owner (hedge) and keeping nodes from evicting (memory). A node whose memory is expected not to hold the pod comes behind all others, whatever its base.`),
  ];
}

/** Over the horizons; null where nothing could be said. */
function sum(byHorizon) {
  return byHorizon ? thousandths(byHorizon.reduce((all, each) => all + each, 0)) : UNKNOWN;
}

function count(candidates) {
  return candidates === 1 ? 'One node could take it.' : `${candidates} nodes could take it.`;
}

function sentence(d, names, took) {
  if (d.reason) {
    return [el('strong', {}, 'All nodes alike: '), d.reason, '. The other plugins decided.'];
  }
  const best = names[0];
  const second = names[1];
  const gap = second === undefined ? '' : ` ${second} came second with ${d.nodes.score[1]}.`;
  const head = [el('strong', {}, best), ` was preferred with ${d.nodes.score[0]} of 100${d.explored ? ', to learn from it' : ''}.${gap} `];
  if (d.node === null || d.node === undefined) {
    return [...head, 'Where the pod went is not known yet.'];
  }
  const went =
    took === 0
      ? 'It went there.'
      : took > 0
        ? `It went to ${d.node}, which had ${d.nodes.score[took]}: ${d.mode === 'shadow' ? 'in shadow mode the other plugins decide' : 'the other plugins counted as well'}.`
        : `It went to ${d.node}, which is not among the candidates kept.`;
  const others = d.mode === 'shadow' ? '' : otherwise(d.node, d.without, 'other plugins’ sum') || otherwise(d.node, d.reckoned, 'by the stock profile, as reckoned here:');
  return [...head, went, others, known(d.reward) ? ` Measured afterwards: ${small(d.reward)} against the candidates' mean.` : ' Its reward is not measured yet.'];
}

function otherwise(node, without, whose) {
  if (!without) {
    return '';
  }
  return without.node === node ? ' Without Berth it would be there, too.' : ` Without Berth it would have gone to ${without.node} (${whose} ${without.sum} against ${without.here}).`;
}
