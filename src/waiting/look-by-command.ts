import type { Receipt } from '../../schema/ledger.ts';
import { type Attempt, openAttempt } from '../attempt/attempt.ts';
import type { CommandRun } from '../contract/effects.ts';
import { Closed, CommandsRefused } from '../contract/failures.ts';
import { watchedPaths } from '../proof/watched-paths.ts';
import { diffFingerprints, takeFingerprint } from '../workspace/fingerprint.ts';
import { sha256 } from '../workspace/paths.ts';
import type { WaitCheck, WaitCheckInput } from './looking.ts';

/** A look only checks a condition, so it gets less time than real work. */
const MOST_SECONDS = 120;
const MOST_OUTPUT_BYTES = 1024 * 1024;
const SHOWN_CHARACTERS = 1000;
const MOST_WRITES = 500;

/**
 * Holds when the command exits zero. It runs like a call of the model: in a helper of the present
 * attempt, and only while no other goal works in the workspace. Only a look that holds, or that
 * wrote files, leaves a row.
 */
export async function lookByCommand(looking: WaitCheckInput, command: string): Promise<WaitCheck> {
  const { ports, execution, brief, scheduledAt } = looking;
  const { name } = brief.workspace;
  const attempt = await openAttempt(ports, execution, scheduledAt);
  try {
    if (!(await ports.journal.borrowWorkspace(attempt.fence, name))) {
      // A dead attempt may still hold the workspace, with other goals in line.
      await ports.journal.returnWorkspace(attempt.fence, name);
      return { holds: false, seen: 'not looked: another goal works in the workspace' };
    }
    return await runOnce(looking, attempt, command).finally(() =>
      ports.journal.returnWorkspace(attempt.fence, name),
    );
  } catch (error) {
    if (error instanceof Closed) return { holds: false, seen: 'not looked: the goal was stopped' };
    if (error instanceof CommandsRefused)
      return { holds: false, seen: `not looked: ${error.message}` };
    throw error;
  } finally {
    await attempt.effects.close();
  }
}

async function runOnce(
  looking: WaitCheckInput,
  attempt: Attempt,
  command: string,
): Promise<WaitCheck> {
  const { brief, election, signal } = looking;
  const { path } = brief.workspace;
  const watch = () => takeFingerprint(path, watchedPaths(brief.criteria));
  const before = await watch();
  const run = await attempt.effects.runCommand({
    command,
    cwd: path,
    timeoutMs: patienceMs(election.until),
    maxOutputBytes: MOST_OUTPUT_BYTES,
    signal,
  });
  const writes = diffFingerprints(before, await watch());
  const look = { holds: run.ended === 'exited' && run.exitCode === 0, seen: wordsOf(run) };
  if (look.holds || writes.length > 0) await record(looking, attempt, { command, run, writes });
  return look;
}

function patienceMs(until: string | null): number {
  const left = until === null ? MOST_SECONDS * 1000 : Date.parse(until) - Date.now();
  return Math.max(1000, Math.min(MOST_SECONDS * 1000, left));
}

function wordsOf({ ended, exitCode, output }: CommandRun): string {
  const how = ended === 'exited' ? `it exited ${exitCode}` : `it ended by ${ended}`;
  const tail = new TextDecoder().decode(output).trimEnd().slice(-SHOWN_CHARACTERS);
  return tail === '' ? how : `${how}; its output ends with: ${tail}`;
}

interface Seen {
  readonly command: string;
  readonly run: CommandRun;
  readonly writes: readonly string[];
}

async function record(
  { ports, election }: WaitCheckInput,
  { fence }: Attempt,
  { command, run, writes }: Seen,
): Promise<void> {
  const { turn, looks } = election;
  const callId = `t${turn}.look.${looks + 1}`;
  const call = { callId, turn, step: 0, tool: 'wait_for', effect: 'write' as const };
  await ports.journal.startCall(fence, { ...call, arguments: { command }, hasRun: true });
  const isMet = run.ended === 'exited' && run.exitCode === 0;
  const receipt: Receipt = {
    command,
    cwd: '.',
    ...(run.exitCode === null ? {} : { exitCode: run.exitCode }),
    ...(run.signal === null ? {} : { signal: run.signal }),
    ...(isMet ? {} : { reason: wordsOf(run).slice(0, 500) }),
    ...(writes.length === 0 ? {} : { writes: writes.slice(0, MOST_WRITES) }),
    outputBytes: run.output.byteLength,
    outputSha256: sha256(run.output),
    durationMs: run.durationMs,
    isolation: run.isolation,
    ...(run.reached?.length && { reached: [...run.reached] }),
  };
  await ports.journal.settleCall(fence, {
    ...call,
    outcome: isMet ? 'succeeded' : 'failed',
    receipt,
    text: '',
    providerId: null,
    output: run.output,
    wrote: writes.length > 0,
  });
}
