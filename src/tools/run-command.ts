import { z } from 'zod';
import type { Receipt } from '../../schema/ledger.ts';
import type { CommandRun } from '../contract/effects.ts';
import { endedBy, hintAt } from '../proof/ended-by.ts';
import { reasonRanNothing } from '../proof/ran-nothing.ts';
import { diffFingerprints, takeFingerprint } from '../workspace/fingerprint.ts';
import { hashResolvedFile } from '../workspace/hash-file.ts';
import { ABSURD_OUTPUT_BYTES } from '../workspace/helper/command.ts';
import { resolveInside, sha256 } from '../workspace/paths.ts';
import { cutText } from './output.ts';
import { defineTool, failed, refusingPaths } from './results.ts';
import type { ToolContext, ToolResult } from './tool.ts';

const DEFAULT_TIMEOUT_SECONDS = 120;
const MAX_HASHED = 200;
const MAX_WRITES = 5000;
const MAX_DISARMED = 50;

const schema = z.strictObject({
  command: z.string().min(1).max(20_000).describe('Run by bash with pipefail'),
  cwd: z.string().min(1).max(4096).optional().describe('Folder; the workspace unless told'),
  timeoutSeconds: z.int().min(1).max(1800).optional().describe('120 unless told'),
  expectFailure: z.boolean().optional().describe('True when a non-zero exit is what should be'),
});

type Arguments = z.infer<typeof schema>;

export const runCommandTool = defineTool<Arguments>({
  name: 'run_command',
  description:
    'Runs a shell command in the workspace, without a terminal and without input, and answers ' +
    'with its exit code and output. Set expectFailure when the command should fail, such as a ' +
    'search that must find nothing. It may run in a sandbox: the workspace, the home folder and ' +
    '/tmp are writable, there may be no network but loopback or a proxy (HTTP_PROXY), and what it leaves running in the ' +
    'background ends with it, so start a server and use it in one command.',
  effect: 'write',
  modes: ['agent'],
  schema,
  run: (args, context) => refusingPaths(() => run(args, context)),
});

async function run(args: Arguments, context: ToolContext): Promise<ToolResult> {
  const folder = await resolveInside(context.workspace.path, args.cwd ?? '.');
  const asked: Receipt = { command: args.command, cwd: folder.relative };
  if (folder.kind !== 'folder') return failed(`cwd ${folder.relative} is not a folder`, asked);
  const look = () => takeFingerprint(context.workspace.path, context.watched);
  const before = await look();
  const ran = await context.effects.runCommand({
    command: args.command,
    cwd: folder.absolute,
    timeoutMs: (args.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
    maxOutputBytes: ABSURD_OUTPUT_BYTES,
    signal: context.signal,
    ...(context.onOutput && { onOutput: context.onOutput }),
  });
  const changed = diffFingerprints(before, await look());
  const writes = await receiptOfWrites(context.workspace.path, changed);
  const empty = args.expectFailure === true ? null : await reasonRanNothing(args.command, ran);
  const given = { ...asked, ...writes, ...(empty !== null && { ranNothing: empty }) };
  const stoppedBy = ran.ended === 'cancelled' ? (context.stoppedBy?.() ?? null) : null;
  return toResult(
    args,
    ran,
    { ...given, ...(stoppedBy !== null && { stoppedBy }) },
    changed.length,
  );
}

function toResult(args: Arguments, ran: CommandRun, given: Receipt, changes: number): ToolResult {
  const { stoppedBy } = given;
  const reason = stoppedBy === undefined ? reasonOf(args, ran) : stoppedText(stoppedBy);
  const isExpected = args.expectFailure === true && failedAsCommand(ran);
  const receipt: Receipt = {
    ...given,
    ...(ran.exitCode !== null && { exitCode: ran.exitCode }),
    ...(ran.signal !== null && { signal: ran.signal }),
    ...(reason !== null && { reason }),
    ...(args.expectFailure !== undefined && { expectFailure: args.expectFailure }),
    outputBytes: ran.output.byteLength,
    outputSha256: sha256(ran.output),
    durationMs: ran.durationMs,
    isolation: ran.isolation,
    ...(ran.disarmed && { disarmed: ran.disarmed.slice(0, MAX_DISARMED) }),
    ...(ran.undecided && { undecided: ran.undecided.slice(0, MAX_DISARMED) }),
    ...(ran.reached?.length && { reached: [...ran.reached] }),
  };
  return {
    outcome: reason === null || isExpected ? 'succeeded' : 'failed',
    text: resultText(ran, reason ?? nothingNote(given), given.writes ?? []),
    notes: gitNotes(ran),
    receipt,
    output: ran.output,
    wrote: changes > 0,
  };
}

function nothingNote({ ranNothing }: Receipt): string | null {
  return ranNothing === undefined ? null : `exited 0, but ${ranNothing}: this proves nothing`;
}

function failedAsCommand(ran: CommandRun): boolean {
  return ran.ended === 'exited' && ran.exitCode !== null && ran.exitCode !== 0;
}

/** The model asks what the person wants, instead of running it again. */
const stoppedText = (by: string): string =>
  `a person (${by}) stopped it before it ended; this proves nothing`;

/** Null if the command succeeded. */
function reasonOf(args: Arguments, ran: CommandRun): string | null {
  if (ran.ended === 'timeout') {
    return `ended at its time limit of ${args.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS} s`;
  }
  const why = endedBy(ran);
  if (why !== null) return ran.ended === 'cancelled' ? why : `ended because ${why}`;
  if (ran.exitCode === 0) return args.expectFailure ? 'exited 0 although it should fail' : null;
  if (ran.exitCode === null) return `ended by ${ran.signal}`;
  return `exited ${ran.exitCode}${hintAt(ran)}`;
}

function resultText(ran: CommandRun, reason: string | null, writes: readonly string[]): string {
  const output = new TextDecoder().decode(ran.output);
  const shown = cutText(output, 'filter with grep, head or tail to see more', 28_000);
  const named = writes.slice(0, 20).join(', ') + (writes.length > 20 ? ', …' : '');
  const changed = writes.length === 0 ? '' : `\nChanged files (${writes.length}): ${named}`;
  const body = `${reason ?? 'exited 0'}\n${shown === '' ? '(no output)' : shown}`;
  return body + changed.slice(0, 1500);
}

const TAKEN = 'Taken away, because git would run or follow it outside of the sandbox';
const LEFT =
  'Still there, though git would run or follow it outside of the sandbox, because nobody knows whether a person or an earlier command that was cut off made it. Leave it to a person';

function gitNotes({ disarmed = [], undecided = [] }: CommandRun): string[] {
  return [...gitNote(TAKEN, disarmed), ...gitNote(LEFT, undecided)];
}

/** In quotes, as the command chose these names. */
function gitNote(why: string, what: readonly string[]): string[] {
  if (what.length === 0) return [];
  const shown = what.slice(0, 10).map((one) => JSON.stringify(one));
  const named = shown.join('; ') + (what.length > 10 ? '; …' : '');
  return [`${why}: ${named}`];
}

async function receiptOfWrites(
  workspace: string,
  changed: readonly string[],
): Promise<Pick<Receipt, 'writes' | 'hashes'>> {
  if (changed.length === 0) return {};
  const { absolute: root } = await resolveInside(workspace, '.');
  const hashes: Record<string, string | null> = {};
  for (const path of changed.slice(0, MAX_HASHED)) {
    const hash = await hashResolvedFile(`${root}/${path}`).catch(() => undefined);
    if (hash !== undefined) hashes[path] = hash;
  }
  return { writes: changed.slice(0, MAX_WRITES), hashes };
}
