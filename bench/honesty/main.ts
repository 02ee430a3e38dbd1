import { appendFileSync, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildHelper } from '../../scripts/build-helper.ts';
import setupBundle from '../../test/support/bundle-setup.ts';
import { setup as setupServers } from '../../test/support/global-setup.ts';
import { adversaries } from './adversaries/all.ts';
import { choose, forAgents } from './choose.ts';
import { currentCommit } from './commit.ts';
import { honest } from './honest/all.ts';
import { renderLeft } from './left.ts';
import { rehearse } from './rehearse.ts';
import { hasFailed, renderDocument, renderLine, renderTotals } from './report.ts';
import { keyOf, type Played, playAll } from './run.ts';
import type { Outcome, Trajectory } from './trajectory.ts';

/**
 * `tsx bench/honesty/main.ts [--scope declared|inferred|both] [--only family|project|name]…
 * [--slice 2/10] [--each N] [--limit N] [--agent] [--jobs N] [--detail] [--results FILE] [--resume FILE]`
 *
 * A run of everything writes docs/honesty.md. `--only honest` and `--only adversary` choose one side.
 * `--results` appends each outcome to a file; `--resume` plays what that file lacks, and says the
 * totals of all that is in it; an interrupted run ends behind the plays that have begun.
 * `--agent` has another agent play, over the Agent Client Protocol, by tools of its own; its results
 * are its own and write no document, and it plays what docs/honesty.md says that it plays.
 * `--each` takes so many of each family, from all over its projects.
 * `--rehearse` plays without goals and says which trajectories don't do what they are meant to;
 * `--list` names them; `--left FILE` says of each family what that file has, on which commits, and
 * what it lacks; `--report FILE` writes the document from the results of several runs.
 */
const { values } = parseArgs({
  options: {
    scope: { type: 'string', default: 'both' },
    only: { type: 'string', multiple: true, default: [] },
    slice: { type: 'string', default: '1/1' },
    limit: { type: 'string', default: '100000' },
    jobs: { type: 'string', default: '6' },
    detail: { type: 'boolean', default: false },
    results: { type: 'string' },
    resume: { type: 'string' },
    report: { type: 'string' },
    rehearse: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    left: { type: 'string' },
    agent: { type: 'boolean', default: false },
    each: { type: 'string' },
  },
});

const all = [...adversaries, ...honest];
const names = all.map(({ name }) => name);
const twice = names.filter((name, index) => names.indexOf(name) < index);
if (twice.length > 0) throw new Error(`two trajectories are named ${twice.join(', ')}`);

const scope = values.rehearse || values.list ? 'declared' : values.scope;
const chosen = choose(values.agent && values.each === undefined ? forAgents(all) : all, {
  ...values,
  ...{ scope, limit: Number(values.limit), each: Number(values.each ?? Number.POSITIVE_INFINITY) },
});
const isWhole = chosen.length === 2 * all.length && !values.agent;

// Whatever the trajectories leave in temporary folders goes with it.
const temporary = await mkdtemp(join(tmpdir(), 'goalkeeper-honesty-'));
process.env.TMPDIR = temporary;
let code = 1;
try {
  code = await act();
} finally {
  await rm(temporary, { recursive: true, force: true });
}
process.exit(code);

async function act(): Promise<number> {
  if (values.list) return list(chosen);
  if (values.left !== undefined) {
    console.log(renderLeft(chosen, await readResults(values.left)));
    return 0;
  }
  if (values.rehearse) return await rehearseAll(chosen);
  if (values.report !== undefined) return await writeReport(await readResults(values.report), 0);
  return await play(chosen);
}

function list(played: readonly Played[]): number {
  for (const { trajectory } of played) console.log(`${trajectory.theme}\t${trajectory.name}`);
  const lies = played.filter(({ trajectory }) => trajectory.expected === 'not complete').length;
  console.log(`${lies} adversaries, ${played.length - lies} honest`);
  return 0;
}

async function rehearseAll(played: readonly Played[]): Promise<number> {
  const waiting = played
    .map(({ trajectory }) => trajectory)
    .filter(({ moves }) => moves !== undefined);
  const total = waiting.length;
  let odd = 0;
  const hand = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { oddity } = await rehearse(next);
      if (oddity === null) continue;
      odd += 1;
      console.log(`${next.name}: ${oddity}\n`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, hand));
  console.log(`${total} rehearsed, ${odd} of them odd`);
  return odd === 0 ? 0 : 1;
}

async function play(played: readonly Played[]): Promise<number> {
  const kept = values.resume === undefined ? [] : await readResults(values.resume);
  const isKept = new Set(kept.map(keyOf));
  const open = played.filter((one) => !isKept.has(keyOf(one)));
  const file = values.resume ?? values.results;
  const commit = await currentCommit();
  const helper = join(temporary, 'helper');
  await buildHelper(helper);
  process.env.GOALKEEPER_EFFECTS_HELPER = join(helper, 'helper.js');
  const stops = [await setupBundle(), await setupServers()];
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());
  const begun = performance.now();
  const fresh = await playAll(open, {
    jobs: Number(values.jobs),
    isForeign: values.agent,
    signal: ending.signal,
    onEnd(outcome) {
      console.log(renderLine(outcome, values.detail));
      if (file !== undefined) keep(file, { ...outcome, commit });
    },
  });
  const seconds = Math.round((performance.now() - begun) / 1000);
  const outcomes = [...kept, ...fresh.map((one) => ({ ...one, commit }))];
  if (isWhole && outcomes.length >= played.length) await writeReport(outcomes, seconds);
  else console.log(renderTotals(outcomes, seconds));
  for (const stop of stops.reverse()) await stop();
  return hasFailed(outcomes) ? 1 : 0;
}

function keep(file: string, { trajectory, ...rest }: Outcome): void {
  appendFileSync(file, `${JSON.stringify({ name: trajectory.name, ...rest })}\n`);
}

/** The last outcome of each. */
async function readResults(file: string): Promise<Outcome[]> {
  const byName = new Map<string, Trajectory>(all.map((one) => [one.name, one]));
  const outcomes = new Map<string, Outcome>();
  if (!existsSync(file)) return [];
  for (const line of (await readFile(file, 'utf8')).split('\n').filter(Boolean)) {
    const { name, ...rest } = JSON.parse(line) as Omit<Outcome, 'trajectory'> & { name: string };
    const trajectory = byName.get(name);
    if (trajectory !== undefined)
      outcomes.set(keyOf({ trajectory, ...rest }), { trajectory, ...rest });
  }
  return [...outcomes.values()];
}

async function writeReport(outcomes: readonly Outcome[], seconds: number): Promise<number> {
  console.log(renderTotals(outcomes, seconds));
  const document = new URL('../../docs/honesty.md', import.meta.url);
  await writeFile(document, renderDocument(outcomes, all, seconds));
  return hasFailed(outcomes) ? 1 : 0;
}
