import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CommandRun, EffectsPort } from '../../contract/effects.ts';
import type { TestReport } from '../../contract/test-report.ts';
import type { Runner } from '../../proof/test-report.ts';
import { makeScratch, removeScratch } from '../../workspace/scratch.ts';
import type { ResolvedCommand } from '../runners/resolve.ts';
import { readJvmReport } from './jvm-report.ts';
import { ENDING_HOOK, NODE_TEST_REPORTER, REPORT_KEY, RUNNER_HOOK } from './node-programs.ts';
import { parsePrinted } from './printed.ts';
import { type ReportPlace, readReport } from './read-report.ts';

type Order = Parameters<EffectsPort['runCommand']>[0];

export interface ReportedRun {
  readonly run: CommandRun;
  readonly report: TestReport | null;
  /** The runners were asked for names; a missing report then means that the run was cut off. */
  readonly isAsked: boolean;
}

const IN_NODE: readonly Runner[] = ['node:test', 'vitest', 'jest'];
const TELLING: readonly string[] = [...IN_NODE, 'pytest', 'go test'];

/** True when this runner can report the names of its tests. */
export const tellsNames = (runner: string): boolean => TELLING.includes(runner);

/** True when a script may start an unknown runner; its output tells whether it did. */
export const mayHideRunner = ({ isUnderstood }: ResolvedCommand): boolean => !isUnderstood;

/** How a run differs from that of a person. */
export interface Kept {
  /** Runners that wait for what their tests left open end after their tests. */
  readonly endsAfterTests?: boolean;
}

/** Runners that a server keeps which a test left open as it failed. */
const WAITING: readonly Runner[] = ['mocha', 'jest'];

/** Runs a command like a model's command; only the output of its runners tells the results. */
export async function runPlainly(
  effects: EffectsPort,
  order: Order,
  command: ResolvedCommand,
  { endsAfterTests = false }: Kept = {},
): Promise<ReportedRun> {
  const since = Date.now();
  const isKept = endsAfterTests && WAITING.some((runner) => command.runners.has(runner));
  const run = isKept ? await runEnding(effects, order) : await effects.runCommand(order);
  const isSilent = command.runners.size === 0 && !mayHideRunner(command);
  const told = isSilent ? null : parsePrinted(Buffer.from(run.output).toString('utf8'));
  const report = isSilent ? null : (told ?? (await readJvmReport(order.cwd, since)));
  return { run, report, isAsked: false };
}

async function runEnding(effects: EffectsPort, order: Order): Promise<CommandRun> {
  const folder = await makeScratch('report');
  try {
    const env = { ...order.env, NODE_OPTIONS: await endingOption(folder) };
    return await effects.runCommand({
      ...order,
      env,
      reach: { ...order.reach, writable: [folder] },
    });
  } finally {
    await removeScratch(folder);
  }
}

async function endingOption(folder: string): Promise<string> {
  const hook = join(folder, 'ends-hook.cjs');
  await writeFile(hook, ENDING_HOOK);
  return `--require=${quoted(hook)}`;
}

/**
 * Runs a command so that its test runners also report names. Only the environment differs, and the
 * reports are in a folder of this run outside of the workspace.
 */
export async function runReported(
  effects: EffectsPort,
  order: Order,
  command: ResolvedCommand,
  kept: Kept = {},
): Promise<ReportedRun> {
  if (command.runners.size === 0 && !mayHideRunner(command)) {
    return await runPlainly(effects, order, command);
  }
  const since = Date.now();
  const folder = await makeScratch('report');
  const place = { folder, key: randomBytes(32).toString('hex') };
  try {
    const env: Record<string, string> = {
      ...order.env,
      ...(await instruments(effects, order, command, place)),
    };
    if (kept.endsAfterTests && WAITING.some((runner) => command.runners.has(runner))) {
      env.NODE_OPTIONS = [env.NODE_OPTIONS ?? '', await endingOption(folder)].join(' ').trim();
    }
    const reach = { ...order.reach, writable: [folder] };
    const run = await effects.runCommand({ ...order, env, reach });
    const plain = isOwnFault(run) ? await effects.runCommand(order) : null;
    const seen = plain ?? run;
    const told = await readReport(place, order.cwd, command, seen.output);
    const report = told ?? (await readJvmReport(order.cwd, since));
    return { run: seen, report, isAsked: true };
  } finally {
    await removeScratch(folder);
  }
}

/**
 * True for a failure of the instrumentation: Node is too old for the options, or a script chose
 * reporters that the resolver didn't see.
 */
function isOwnFault({ exitCode, output }: CommandRun): boolean {
  if (exitCode === 0) return false;
  const text = Buffer.from(output).toString('utf8');
  return (
    /(--test-reporter\S*|--require=?)\s+is not allowed in NODE_OPTIONS/.test(text) ||
    /must match the number of specified '--test-reporter-destination'/.test(text) ||
    /error: unrecognized arguments: .*--junitxml=/.test(text)
  );
}

async function instruments(
  effects: EffectsPort,
  order: Order,
  command: ResolvedCommand,
  { folder, key }: ReportPlace,
): Promise<Record<string, string>> {
  const { runners } = command;
  const has = (runner: Runner) => runners.has(runner) || mayHideRunner(command);
  const env: Record<string, string> = {};
  if (IN_NODE.some(has)) {
    env.NODE_OPTIONS = await nodeOptions(command, folder);
    env[REPORT_KEY] = key;
  }
  if (has('pytest')) {
    const file = join(folder, `${randomBytes(8).toString('hex')}.pytest`);
    env.PYTEST_ADDOPTS = `--junitxml=${file} -o junit_family=xunit1`;
  }
  if (runners.has('go test')) env.GOFLAGS = `${await goFlags(effects, order)} -v`.trim();
  return env;
}

async function nodeOptions(command: ResolvedCommand, folder: string): Promise<string> {
  const hook = join(folder, 'runner-hook.cjs');
  await writeFile(hook, RUNNER_HOOK);
  const options = [`--require=${quoted(hook)}`];
  const text = command.texts.join('\n');
  const chooses = /--test-reporter[= ]/.test(text);
  const reporter = join(folder, chooses ? 'quiet.mjs' : 'reporter.mjs');
  await writeFile(reporter, NODE_TEST_REPORTER);
  options.push(`--test-reporter=${quoted(pathToFileURL(reporter).href)}`);
  if (!chooses) return options.join(' ');
  // Node counts destinations over environment and command line together.
  const isDirected = /--test-reporter-destination[= ]/.test(text);
  const places = isDirected ? ['stderr'] : ['stderr', 'stdout'];
  return [...options, ...places.map((place) => `--test-reporter-destination=${place}`)].join(' ');
}

const quoted = (path: string): string =>
  /\s|"|\\/.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path;

/** GOFLAGS overrides the values of `go env -w`, so they are repeated here. */
async function goFlags(effects: EffectsPort, order: Order): Promise<string> {
  const command = 'go env GOFLAGS';
  const { exitCode, output } = await effects.runCommand({
    command,
    cwd: order.cwd,
    timeoutMs: 20_000,
    maxOutputBytes: 4096,
    signal: order.signal,
    ...(order.reach && { reach: order.reach }),
  });
  return exitCode === 0 ? Buffer.from(output).toString('utf8').trim() : '';
}
