import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandCriterion } from '../../schema/criteria.ts';
import type { CommandRun, EffectsPort, Lent } from '../contract/effects.ts';
import { CommandsRefused } from '../contract/failures.ts';
import { endedBy, hintAt } from '../proof/ended-by.ts';
import { PathRefused, resolveInside } from '../workspace/paths.ts';
import { makeScratch, removeScratch } from '../workspace/scratch.ts';
import { leftAtHome } from './left-at-home.ts';
import { mayHideRunner, type ReportedRun, runPlainly, runReported } from './report/instrument.ts';
import { type ResolvedCommand, resolveCommand } from './runners/resolve.ts';

/** What a command has where its criterion names no time. */
export const DEFAULT_TIMEOUT_SECONDS = 600;

/**
 * The manner of a run. The code under test can see reporters, so only a plain run behaves as in
 * use.
 */
export type Manner = 'plain' | 'with reporters';

export interface Ran extends ReportedRun {
  readonly run: CommandRun & { readonly problem?: string };
  /** The resolved command; null when there was no place to run it. */
  readonly command: ResolvedCommand | null;
  /** Files outside of the workspace that the first run left and this second run finds. */
  readonly beside?: readonly string[];
}

interface Place {
  readonly root: string;
  /** A home that several runs share; each has one of its own unless told. */
  readonly home?: string;
  /** See `Reach`. */
  readonly isClean?: boolean;
  readonly isInPlace?: boolean;
  readonly lent?: readonly Lent[];
  readonly network?: 'host';
  readonly endsAfterTests?: boolean;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

/** A command that can't be started is a finding about the criterion, not an error of the gate. */
export async function runCommandOf(
  effects: EffectsPort,
  spec: CommandCriterion,
  place: Place,
  manner: Manner,
): Promise<Ran> {
  if (place.home !== undefined) return await runIn(effects, spec, place, place.home, manner);
  const home = await makeScratch('home');
  try {
    const ran = await runIn(effects, spec, place, home, manner);
    if (manner !== 'plain' || !hasExited(ran, spec)) return ran;
    // On a used machine, the next run finds the files that this one left.
    const beside = await leftAtHome(home);
    if (beside.length === 0) return ran;
    return { ...(await runIn(effects, spec, place, home, manner)), beside };
  } finally {
    await removeScratch(home);
  }
}

export const hasExited = ({ run }: Ran, { expectExit = 0 }: CommandCriterion): boolean =>
  run.ended === 'exited' && run.exitCode === expectExit;

/** The home is a fresh one, without settings that commands of the model could have left. */
async function runIn(
  effects: EffectsPort,
  spec: CommandCriterion,
  {
    root,
    home: _,
    isClean = false,
    isInPlace = false,
    lent = [],
    network,
    endsAfterTests = false,
    ...limits
  }: Place,
  home: string,
  manner: Manner,
): Promise<Ran> {
  // Python takes bytecode for current by the second and length of its source, so what lies beside
  // the sources is neither read nor left there.
  const bytecode = `pycache-${randomUUID()}`;
  try {
    const folder = await resolveInside(root, spec.cwd ?? '.');
    if (folder.kind !== 'folder') return notBegun(`its folder ${folder.relative} does not exist`);
    const command = await resolveCommand(root, spec);
    const order = {
      command: spec.command,
      cwd: folder.absolute,
      timeoutMs: (spec.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
      reach: { root, home, isClean, isInPlace, lent, ...(network && { network }) },
      env: {
        ...(isInPlace && elsewhere()),
        ...((isInPlace || (await mayRunPython(root, command))) && {
          PYTHONPYCACHEPREFIX: join(tmpdir(), bytecode),
        }),
      },
      // A check may print as much as it likes; its time ends it.
      printsFreely: true,
      ...limits,
    };
    const act = manner === 'plain' ? runPlainly : runReported;
    return { ...(await act(effects, order, command, { endsAfterTests })), command };
  } catch (error) {
    if (!isAboutTheCommand(error)) throw error;
    return notBegun(error.message);
  } finally {
    // With a sandbox it is in the home's temporary folder.
    for (const at of [join(home, 'tmp'), tmpdir()]) await removeScratch(join(at, bytecode));
  }
}

/** A proof runs as another user would run it, so that code can't go by who runs it. */
function elsewhere(): Record<string, string> {
  const { TZ = '' } = process.env;
  const isUtc = TZ === 'UTC' || (TZ === '' && new Date().getTimezoneOffset() === 0);
  return { USER: 'builder', LOGNAME: 'builder', ...(isUtc && { TZ: 'Etc/UTC' }) };
}

const PYTHON_PROJECT = /\.py$|^(?:pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|Pipfile)$/;

/** All other commands have the environment that the model's have. */
async function mayRunPython(root: string, command: ResolvedCommand): Promise<boolean> {
  const { runners, texts } = command;
  if (runners.has('pytest') || runners.has('unittest')) return true;
  if (texts.some((text) => /\bpy/.test(text))) return true;
  if (!mayHideRunner(command)) return false;
  return (await readdir(root)).some((name) => PYTHON_PROJECT.test(name));
}

/** True for a bare error, which the helper reports; all others are the host's own. */
function isAboutTheCommand(error: unknown): error is Error {
  if (error instanceof PathRefused || error instanceof CommandsRefused) return true;
  return error instanceof Error && error.constructor === Error && !('code' in error);
}

function notBegun(problem: string): Ran {
  const output = new Uint8Array();
  const never = { exitCode: null, signal: null, ended: 'exited' as const, output, durationMs: 0 };
  const run = { ...never, isolation: 'full' as const };
  return { run: { ...run, problem }, report: null, isAsked: false, command: null };
}

export function couldNotBegin({ problem, exitCode }: Ran['run']): boolean {
  return problem !== undefined || exitCode === 126 || exitCode === 127;
}

export function reasonOf(ran: Ran, spec: CommandCriterion): string {
  const reason = endOf(ran, spec);
  if (ran.beside === undefined || hasExited(ran, spec)) return reason;
  return `${reason} when it ran again beside what its first run, which passed, left outside of the workspace (${ran.beside.join(', ')})`;
}

function endOf({ run }: Ran, { expectExit = 0 }: CommandCriterion): string {
  const { problem, ended, exitCode, durationMs, signal } = run;
  if (problem !== undefined) return `could not run: ${problem}`;
  if (ended === 'timeout') return `timed out after ${Math.round(durationMs / 1000)} s`;
  const endedWhy = endedBy(run);
  if (endedWhy !== null) return `was ended: ${endedWhy}`;
  if (exitCode === null) return `ended by ${signal}`;
  if (exitCode === expectExit) return `exited ${exitCode}`;
  const wanted = expectExit === 0 ? '' : `, ${expectExit} was expected`;
  const why = couldNotBegin(run) ? ' (nothing to run: not found or not executable)' : hintAt(run);
  return `exited ${exitCode}${why}${wanted}`;
}
