import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import setupBundle from '../../test/support/bundle-setup.ts';
import { setup as setupServers } from '../../test/support/global-setup.ts';
import { adversaries } from './adversaries/all.ts';
import { honest } from './honest/all.ts';
import { hasFailed, renderDocument, renderLine, renderTotals } from './report.ts';
import { playAll } from './run.ts';

/** `tsx bench/honesty/main.ts [--at-once N] [--detail] [name or theme …]`; the whole suite writes docs/honesty.md. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'at-once': { type: 'string', default: '6' },
    detail: { type: 'boolean', default: false },
  },
});

const all = [...adversaries, ...honest];
const names = all.map(({ name }) => name);
const twice = names.filter((name, index) => names.indexOf(name) < index);
if (twice.length > 0) throw new Error(`two trajectories are named ${twice.join(', ')}`);

const isChosen = (text: string): boolean =>
  positionals.length === 0 || positionals.some((part) => text.includes(part));
const chosen = all.filter(({ name, theme }) => isChosen(name) || isChosen(theme));

const stops = [await setupBundle(), await setupServers()];
// Whatever the trajectories leave in temporary folders goes with it.
const temporary = await mkdtemp(join(tmpdir(), 'goalkeeper-honesty-'));
process.env.TMPDIR = temporary;
const begun = performance.now();
const outcomes = await playAll(chosen, {
  atOnce: Number(values['at-once']),
  onEnd: (outcome) => console.log(renderLine(outcome, values.detail)),
});
const seconds = Math.round((performance.now() - begun) / 1000);
console.log(renderTotals(outcomes, seconds));
if (positionals.length === 0) {
  await writeFile(
    new URL('../../docs/honesty.md', import.meta.url),
    renderDocument(outcomes, seconds),
  );
}
await rm(temporary, { recursive: true, force: true });
for (const stop of stops.reverse()) await stop();
process.exit(hasFailed(outcomes) ? 1 : 0);
