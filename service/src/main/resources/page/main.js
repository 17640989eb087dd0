// What is read when, and who is told. Nothing is read while nobody looks.

import { Unauthorized, hasToken, keepToken, read } from './api.js';
import { by } from './dom.js';
import { Cluster } from './nodes.js';
import { modes, showDecisions } from './decisions.js';
import { show } from './heatmap.js';
import { showRegret } from './regret.js';
import { showChange, showFacts, showForecast, showLearning } from './status.js';

const SECONDS = 1000;
/** The heat map's figures may take half a megabyte a minute at most; the larger they are, the rarer. */
const BYTES_PER_SECOND = 8000;
const cluster = new Cluster();
let status = null;
let ready = { ready: false, causes: {}, warnings: {} };
let decisions = [];

async function readLoads() {
  const loads = await read('/v1/page/loads');
  if (loads.body.roster !== cluster.tag) {
    const roster = await read('/v1/page/roster');
    cluster.take(roster.body, roster.etag.replaceAll('"', ''));
  }
  cluster.loads = loads.body;
  show(cluster);
  return Math.max(3, loads.bytes / BYTES_PER_SECOND);
}

async function readDecisions() {
  const answer = await read('/v1/page/decisions');
  decisions = answer.body.decisions;
  if (answer.changed) {
    showDecisions(decisions);
    if (status !== null) {
      showFacts(status, ready, modes(decisions)); // the mode is read off the decisions
    }
  }
  return 3;
}

async function readStatus() {
  status = (await read('/v1/status')).body;
  ready = (await read('/readyz')).body;
  showFacts(status, ready, modes(decisions));
  showForecast(status.forecast);
  showLearning(status);
  showChange(status);
  showRegret(status.regret);
  return 5;
}

const loops = [readDecisions, readLoads, readStatus];
let asking = null;
let since = Date.now();

function pulse(problem) {
  const lost = problem !== null;
  if (!lost) {
    since = Date.now();
  }
  by('pulse').classList.toggle('lost', lost);
  const text = lost ? `no answer for ${Math.round((Date.now() - since) / SECONDS)} s: ${problem}` : 'live';
  if (by('pulse').textContent !== text) {
    by('pulse').textContent = text;
  }
}

/** One question at a time of each kind; after an error again in five seconds. */
async function loop(readOne) {
  while (true) {
    let pause = 5;
    try {
      if (!document.hidden) {
        pause = await readOne();
        pulse(null);
      }
    } catch (problem) {
      if (problem instanceof Unauthorized) {
        await token();
        pause = 0;
      } else {
        pulse(problem.message);
      }
    }
    await new Promise((done) => setTimeout(done, pause * SECONDS));
  }
}

/** Asks once, whoever was refused; all wait for the same answer. */
function token() {
  asking ??= new Promise((done) => {
    by('token-error').textContent = hasToken() ? 'The service refuses this token.' : '';
    const form = by('token-form');
    form.addEventListener(
      'submit',
      () => {
        keepToken(by('token').value);
        by('token').value = '';
        asking = null;
        done();
      },
      { once: true },
    );
    by('ask').showModal();
  });
  return asking;
}
// Nothing can be shown without: closed by Escape, it opens again.
by('ask').addEventListener('close', () => asking && by('ask').showModal());

for (const readOne of loops) {
  loop(readOne);
}
