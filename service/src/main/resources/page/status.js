// What the service says of itself: the facts on top, warnings, forecasts against truth, and learning, in words.

import { by, el, fill, fillTable, pair } from './dom.js';
import { ago, count, known, percent, small } from './format.js';

const KEPT = 360;
const HORIZONS = { now: 'now', 'now-just-bound': 'now, just bound' };
const history = { reward: [], loss: [] };

export function showFacts(status, ready, modes) {
  const troubles = Object.keys({ ...ready.causes, ...ready.warnings }).length;
  const chips = [
    [`mode ${modes.length ? modes.join(' and ') : 'unknown'}`, ''],
    [`policy ${status.policy}`, ''],
    [status.modelVersion ? `model version ${status.modelVersion}` : 'no learned model', ''],
    ...clips(status).map((clip) => [clip, '']),
    [`${count(status.podsRunning)} pods`, ''],
    [status.podsScored ? `answers in ${status.scoreLatencyMs.p50.toFixed(1)} ms, p99 ${status.scoreLatencyMs.p99.toFixed(1)} ms` : 'no scheduler has asked yet', ''],
    [ready.ready ? (troubles ? `${troubles} warning${troubles > 1 ? 's' : ''}` : 'all well') : 'not ready', ready.ready && !troubles ? '' : 'bad'],
    ...(status.alerts?.length ? [[`${status.alerts.length} alert${status.alerts.length > 1 ? 's' : ''} firing`, 'bad']] : []),
  ];
  fill(by('facts'), ...chips.map(([text, kind]) => el('li', { class: kind }, text)));
  const lines = [...Object.entries(ready.causes ?? {}), ...Object.entries(ready.warnings ?? {}), ...(status.alerts ?? []).map(alert)];
  by('warnings').hidden = lines.length === 0;
  fill(by('warning-list'), ...lines.map(([who, what]) => el('li', {}, el('strong', {}, `${who}: `), what)));
}

function alert({ name, severity, labels }) {
  const whom = Object.entries(labels).map(([key, value]) => `, ${key} ${value}`);
  return [name, `this alert fires (${severity}${whom.join('')}); docs/operations.md says what to do`];
}

/** How far the learned correction may go; a scheduler can only lower it. */
function clips({ clip, schedulers }) {
  if (!known(clip)) {
    return [];
  }
  const each = schedulers.map((s) => Math.min(clip, s.clip ?? clip));
  return [...new Set(each.length ? each : [clip])].map((most) => `clip ${percent(1000 * most, 1)}`);
}

export function showForecast(forecast) {
  const names = Object.keys(forecast);
  if (!names.length) {
    fill(by('forecast'), el('p', { class: 'summary' }, 'No forecast has come true yet: the first is compared with the next sample, the others 5 to 50 minutes later.'));
    return;
  }
  const table = el('table');
  fillTable(
    table,
    'Forecasts of node CPU against what was measured',
    ['Ahead', 'Outcomes', 'Mean error', 'Typical error', '80 % interval', 'Inside it'],
    names.map((name) => {
      const f = forecast[name];
      return {
        cells: [HORIZONS[name] ?? name, count(Math.round(f.outcomes)), signed(f.bias), percent(1000 * f.rmse, 1), `± ${percent(1281.6 * f.calibratedSpread, 1)}`, inside(f)],
      };
    }),
  );
  fill(
    by('forecast'),
    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Forecasts' }, table),
    el('p', { class: 'hint' }, 'Shares of a node; used less forecast. What came two hours ago counts half. The interval is learned from the errors of the last hour.'),
  );
}

function signed(share) {
  return `${share > 0 ? '+' : ''}${percent(1000 * share, 1)}`;
}

function inside(f) {
  const off = f.outcomes > 200 && f.inside < 0.6;
  return el('span', { class: off ? 'bad' : '' }, percent(1000 * f.inside) + (off ? ', too few' : ''));
}

/** What a figure was since the page was opened, and the lowest and highest of it in words. */
function spark(name, values) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const reach = high - low || 1;
  const points = values.map((v, i) => `${((100 * i) / Math.max(1, values.length - 1)).toFixed(2)},${(38 - (34 * (v - low)) / reach).toFixed(2)}`);
  const range = `since this page was opened: ${small(low)} to ${small(high)}`;
  return [
    el(
      'svg',
      { class: 'spark', viewBox: '0 0 100 40', preserveAspectRatio: 'none', role: 'img', 'aria-label': `${name} ${range}` },
      el('polyline', { points: points.join(' ') }),
    ),
    el('p', { class: 'hint' }, range),
  ];
}

function remember(name, value) {
  if (known(value)) {
    history[name].push(value);
    history[name].splice(0, Math.max(0, history[name].length - KEPT));
  }
}

export function showLearning(status) {
  remember('reward', status.rewardMean);
  remember('loss', status.loss);
  const parts = [
    pair('learner', status.trainer, status.trainer === 'alive' || status.trainer === 'off' ? '' : 'bad'),
    pair('decisions with a measured reward', count(status.transitions)),
    pair('gradient steps', count(status.trainSteps)),
    pair('reward of the chosen against the mean', small(status.rewardMean)),
    ...(history.reward.length > 1 ? spark('Reward', history.reward) : []),
    pair('loss', small(status.loss)),
    ...(history.loss.length > 1 ? spark('Loss', history.loss) : []),
    pair('versions that answered', status.modelVersions.join(', ') || 'none'),
    pair('decisions by a newer version', `${count(status.servedByNewModel)} of ${count(status.podsScored)}`),
    ...standing('The newest weights', status.promotion),
    ...standing('What serves, against its base', status.watch),
  ];
  fill(by('learning'), ...parts);
}

/** The verdict in the service's own words, and its interval as a picture. */
function standing(title, s) {
  if (!s) {
    return [];
  }
  const state = s.state.replace('-', ' ');
  return [
    el('h3', {}, title),
    el('p', { class: 'words' }, el('strong', {}, state), s.version ? ` (version ${s.version})` : '', `: ${s.reason.replace(`${state}: `, '')}`),
    ...(s.interval ? [range(s), el('p', { class: 'hint' }, `gain ${small(s.gain)}, 95 % interval ${small(s.interval[0])} to ${small(s.interval[1])}; the line is 0`)] : []),
  ];
}

function range({ gain, interval }) {
  const reach = 1.1 * Math.max(Math.abs(interval[0]), Math.abs(interval[1]), 1e-9);
  const x = (v) => 50 + (48 * v) / reach;
  return el(
    'svg',
    { class: 'range', viewBox: '0 0 100 20', preserveAspectRatio: 'none', role: 'img', 'aria-label': `gain ${small(gain)}, 95 % interval ${small(interval[0])} to ${small(interval[1])}` },
    el('line', { class: 'zero', x1: 50, x2: 50, y1: 0, y2: 20 }),
    el('line', { class: 'span', x1: x(interval[0]), x2: x(interval[1]), y1: 10, y2: 10 }),
    el('line', { class: 'dot', x1: x(gain), x2: x(gain), y1: 3, y2: 17 }),
  );
}

function asked(scheduler) {
  const modes = Object.entries(scheduler.asked).map(([mode, n]) => `${mode} ${count(n)}`);
  return `${modes.join(', ')}; last ${ago(scheduler.idleSeconds)} ago`;
}

/** By the model's own reckoning; how far to trust it is said beside it. */
export function showChange(status) {
  const { placed, moved, told, toldMoved, checked, agreed, running, spread } = status.effect;
  fill(
    by('change'),
    pair('pods placed by Berth', count(placed)),
    pair('moved: elsewhere than stock would have', placed ? `${count(moved)}, ${percent((1000 * moved) / placed)}` : 'none placed yet'),
    told ? pair('by the scheduler’s own plugins, of those asked about', `${count(toldMoved)} of ${count(told)}, ${percent((1000 * toldMoved) / told)}`) : null,
    pair('not where they would run, right now', count(running)),
    ...(spread ? spreads(spread) : []),
    pair('decisions without an opinion', `${count(status.decisionsNeutral)} of ${count(status.podsScored)}`, status.decisionsNeutral ? 'warn' : ''),
    ...status.schedulers.map((s) => pair(`asked by ${s.name || 'a scheduler'}`, asked(s))),
    pair('running for', ago(status.uptimeSeconds)),
    el(
      'p',
      { class: 'hint' },
      'The model’s reckoning since the service began, not a measurement: the stock profile is asked about the same pods, each on the books as they would be had those before it gone where it wants them. ' +
        (checked
          ? `Of ${count(checked)} of these the scheduler itself told whether they were moved, and the reckoning is right about ${percent((1000 * agreed) / checked)}.`
          : 'Of none of them the scheduler itself has told yet whether it was moved.'),
    ),
  );
}

/** Two bars on one scale. */
function spreads({ with: now, without }) {
  const max = Math.max(now, without, 1e-6);
  const bar = (name, value) =>
    el(
      'div',
      { class: 'bar' },
      el('span', {}, name),
      el('meter', { min: 0, max, value, 'aria-label': `${name} ${percent(1000 * value, 1)}` }),
      el('span', {}, percent(1000 * value, 1)),
    );
  return [bar('spread of CPU with Berth', now), bar('spread of CPU without', without)];
}
