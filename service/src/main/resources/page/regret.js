// The nodes that pods got against those Berth wanted, in the last 24 hours; of a week when it is opened.

import { read } from './api.js';
import { by, el, fill, fillTable, pair } from './dom.js';
import { count, known } from './format.js';

export function showRegret(report) {
  if (!report || !(report.others.pods + report.berth.pods)) {
    fill(by('regret'), el('p', { class: 'summary' }, 'No pod that Berth was asked about was placed within 24 hours.'));
    return;
  }
  fill(
    by('regret'),
    ...figures('Placed by the other plugins', report.others),
    ...figures('Placed with Berth’s scores', report.berth),
    el('p', { class: 'words' }, el('strong', {}, report.advice.action), `, because ${report.advice.because}.`),
    el('p', { class: 'hint' }, 'Last 24 hours, with 95 % intervals. Cost in thousandths, by how much a pod makes usage more uneven or a node too full; what to make of it: docs/report.md.'),
  );
}

function figures(title, f) {
  if (!f.pods) {
    return [];
  }
  return [
    el('h3', {}, title),
    pair('pods', count(f.pods) + (f.noOpinion ? `, on ${count(f.noOpinion)} no opinion` : '')),
    pair('on a node Berth scored best', interval(f.agreement, 100, 0, ' %')),
    pair('cost more than Berth’s node, by the forecast', interval(f.forecast, 1000, 2, '')),
    pair('the same, measured 5 min later', interval(f.measured, 1000, 2, '')),
    pair('their node was fuller by', interval(f.gap, 100, 1, ' points of CPU')),
  ];
}

function interval(m, unit, digits, name) {
  if (!m || !known(m.mean)) {
    return 'not measured yet';
  }
  const text = (value) => (unit * value).toFixed(digits);
  return m.interval ? `${text(m.mean)}${name} (${m.interval.map(text).join(' to ')})` : `${text(m.mean)}${name}, unsure`;
}

/** It takes the service a look at every pod of the week, so it is asked for once, when somebody wants it. */
by('week').addEventListener('toggle', async () => {
  if (!by('week').open) {
    return;
  }
  const said = by('week-summary');
  said.textContent = 'reading…';
  try {
    const report = (await read('/v1/report?since=7d')).body;
    lines('week-days', 'By day (UTC)', 'Day', report.days);
    lines('week-owners', 'By owner, those with the most pods', 'Owner', report.owners);
    said.textContent = `${report.advice.action}, because ${report.advice.because}.${report.moreOwners ? ` ${count(report.moreOwners)} more owners have fewer pods.` : ''}`;
  } catch (problem) {
    said.textContent = problem.message;
  }
});

function lines(id, caption, head, all) {
  fillTable(
    by(id),
    caption,
    [head, 'Pods', 'On a node Berth scored best', 'Cost more, by the forecast', 'Measured'],
    all.map(({ name, figures: f }) => ({
      cells: [name, count(f.pods), interval(f.agreement, 100, 0, ' %'), interval(f.forecast, 1000, 2, ''), interval(f.measured, 1000, 2, '')],
    })),
  );
}
