import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import setupBundle from '../../test/support/bundle-setup.ts';
import { setup as setupServers } from '../../test/support/global-setup.ts';
import { beyondBound, hasFailed, renderDocument, renderTotals } from './report.ts';
import { runBudgets } from './run.ts';

const ALL = 500;

/** `tsx bench/budget/main.ts [--goals N] [--at-once N] [--seed N]`; all 500 write docs/budget.md. */
const { values } = parseArgs({
  options: {
    goals: { type: 'string', default: String(ALL) },
    'at-once': { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
  },
});

const stops = [await setupBundle(), await setupServers()];
// Whatever the goals leave in temporary folders goes with it.
const temporary = await mkdtemp(join(tmpdir(), 'goalkeeper-budget-bench-'));
process.env.TMPDIR = temporary;
const begun = performance.now();
const goals = Number(values.goals);
const seed = Number(values.seed);
let ended = 0;
const outcomes = await runBudgets({
  goals,
  seed,
  atOnce: Number(values['at-once']),
  onEnd: () => {
    ended += 1;
    if (ended % 50 === 0) console.log(`${ended} of ${goals} goals`);
  },
});
const seconds = Math.round((performance.now() - begun) / 1000);
console.log(renderTotals(outcomes, seconds));
for (const outcome of beyondBound(outcomes)) console.log(JSON.stringify(outcome));
if (goals >= ALL) {
  const document = new URL('../../docs/budget.md', import.meta.url);
  await writeFile(document, renderDocument(outcomes, seconds, seed));
}
await rm(temporary, { recursive: true, force: true });
for (const stop of stops.reverse()) await stop();
process.exit(hasFailed(outcomes) ? 1 : 0);
