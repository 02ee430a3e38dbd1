import { hasMagic, isPathGlob, matchesPath } from '../../schema/glob.ts';
import type { LedgerRow, Receipt } from '../../schema/ledger.ts';
import type { StepEvidence } from '../../schema/todo.ts';
import { type Claim, type Match, type MatchKind, matchCommand } from '../shell/compare/match.ts';
import type { ShellReader } from '../shell/read/script.ts';

export type EvidenceMatch =
  | { readonly ok: true; readonly seqs: readonly number[]; readonly isVerified: boolean }
  | { readonly ok: false; readonly reason: string };

/** A settled row with its receipt. */
type Settled = LedgerRow & { readonly receipt: Receipt };

type CitedReceipts = { readonly seqs: readonly number[] } | { readonly problem: string };

/**
 * Finds the receipts that each piece of cited evidence rests on; one piece without any refuses
 * all. `isVerified` is false where only `manual` evidence was given.
 */
export function matchEvidence(
  evidence: readonly StepEvidence[],
  receipts: readonly LedgerRow[],
  shell: ShellReader,
): EvidenceMatch {
  const rows = settledRows(receipts);
  const seqs: number[] = [];
  for (const piece of evidence) {
    const found = findReceipts(piece, rows, shell);
    if ('problem' in found) {
      const own = receipts.some(isOfAgent) ? ` ${UNSEEN}` : '';
      return { ok: false, reason: `${found.problem}${own} ${inventory(rows)}` };
    }
    seqs.push(...found.seqs);
  }
  const isVerified = evidence.some((piece) => piece.kind !== 'manual');
  return { ok: true, seqs: [...new Set(seqs)].sort((a, b) => a - b), isVerified };
}

/** For an agent with tools of its own. */
const UNSEEN =
  'What you ran and read by tools of your own the host did not see: have it run by run_command, or read by read_file, of the goal’s tools.';

// An agent's own account of what it did shows nothing.
const isOfAgent = ({ receipt }: LedgerRow): boolean => receipt?.origin === 'agent';

function settledRows(receipts: readonly LedgerRow[]): Settled[] {
  return receipts.filter(isSettled).sort((left, right) => left.seq - right.seq);
}

function isSettled(row: LedgerRow): row is Settled {
  if (row.phase !== 'settled' || row.receipt === undefined) return false;
  return row.receipt.origin !== 'baseline' && !isOfAgent(row);
}

function findReceipts(
  piece: StepEvidence,
  rows: readonly Settled[],
  shell: ShellReader,
): CitedReceipts {
  switch (piece.kind) {
    case 'verification':
      return findVerification(piece, rows, shell);
    case 'diff':
      return findPaths(piece, rows, writesOf, 'written');
    case 'files':
      return findPaths(piece, rows, touchesOf, 'read or written');
    case 'manual':
      return { seqs: [] };
    default:
      return { problem: `"${String(piece.kind)}" is no kind of evidence.` };
  }
}

function findVerification(
  { command, paths }: StepEvidence,
  rows: readonly Settled[],
  shell: ShellReader,
): CitedReceipts {
  if (command === undefined) return { problem: 'Verification evidence has to name its command.' };
  const proof = findProofIn({ command, scope: paths }, rows, shell);
  return proof.kind === 'proves' ? { seqs: [proof.seq] } : { problem: proof.reason };
}

/** A command line that is said to have passed, and the paths that it speaks for (absent: all). */
export interface CitedRun extends Claim {
  readonly scope?: readonly string[] | undefined;
}

export type Proof =
  | { readonly kind: 'proves'; readonly seq: number }
  | {
      readonly kind: Exclude<MatchKind, 'proves'> | 'not_run' | 'failed' | 'empty' | 'stale';
      /** Ends with the call that would satisfy it. */
      readonly reason: string;
    };

/** Finds the model's call that proves the cited command, or says why there is none. */
export function findProof(
  cited: CitedRun,
  receipts: readonly LedgerRow[],
  shell: ShellReader,
): Proof {
  return findProofIn(cited, settledRows(receipts), shell);
}

interface ComparedRun {
  readonly row: Settled;
  readonly match: Match;
}

/** The number of newest calls that are searched. */
const MOST_RUNS = 1000;

function findProofIn(cited: CitedRun, rows: readonly Settled[], shell: ShellReader): Proof {
  const looks: ComparedRun[] = [];
  const known = new Map<string, Match>();
  for (const row of rows.filter(isRun).slice(-MOST_RUNS).reverse()) {
    const look = { row, match: matchRow(cited, row, shell, known) };
    if (look.match.kind === 'proves') {
      const older = rows.filter((one) => isRun(one) && one.seq < row.seq);
      const failsPlain = () =>
        look.match.variables.length > 0 && failsWithout(cited, row, older, rows, shell, known);
      return judgeRun(cited, look, rows, failsPlain);
    }
    looks.push(look);
  }
  return nearestMiss(cited, looks);
}

/** The model's own runs; the checkers of the project are cited by their command lines. */
const RUNS: ReadonlySet<string> = new Set(['run_command', 'get_diagnostics']);

function isRun({ tool, outcome, receipt }: Settled): boolean {
  return RUNS.has(tool) && outcome !== 'refused' && receipt.command !== undefined;
}

/** The same line often ran many times. */
function matchRow(
  cited: CitedRun,
  { tool, receipt }: Settled,
  shell: ShellReader,
  known: Map<string, Match>,
): Match {
  if (cited.command.trim() === 'get_diagnostics') return matchDiagnostics(cited, tool, receipt);
  const { command = '', cwd, expectFailure } = receipt;
  const key = JSON.stringify([command, cwd, expectFailure]);
  const match = known.get(key) ?? matchCommand(cited, { command, cwd, expectFailure }, shell);
  known.set(key, match);
  return match;
}

/** Checkers cited by name; a run on some paths proves nothing for others. */
function matchDiagnostics({ scope = [''] }: CitedRun, tool: string, { reads }: Receipt): Match {
  if (tool !== 'get_diagnostics') return { kind: 'different', reason: '', variables: [] };
  const wanted = scope.map(normalisePath);
  const seen = (reads ?? ['']).map(normalisePath);
  const isWhole = wanted.every((path) => seen.some((part) => isWithin(path, part)));
  return isWhole
    ? { kind: 'proves', reason: '', variables: [] }
    : { kind: 'narrowed', reason: `It looked only at ${seen.join(', ')}.`, variables: [] };
}

/** The runs, newest first. */
function nearestMiss({ command }: CitedRun, looks: readonly ComparedRun[]): Proof {
  const near = looks.find(({ match }) => match.kind !== 'different') ?? looks[0];
  const kind = near?.match.kind ?? 'not_run';
  if (near === undefined || kind === 'different' || kind === 'proves' || kind === 'not_run') {
    const reason = `No command that ran matches "${command}": ${runIt(command)}.`;
    return { kind: near === undefined ? 'not_run' : 'different', reason };
  }
  const reason = `"${near.row.receipt.command}" does not show "${command}". ${near.match.reason}`;
  const isCitation = kind === 'nothing' || near.match.reason.startsWith('What is cited');
  const remedy = isCitation ? 'Cite a check that can fail.' : `So ${runIt(command)}.`;
  return { kind, reason: `${reason} ${remedy}` };
}

function runIt(command: string): string {
  return `run "${command}" as a command of its own with run_command`;
}

function judgeRun(
  { command, scope }: CitedRun,
  { row, match }: ComparedRun,
  rows: readonly Settled[],
  failsPlain: () => boolean,
): Proof {
  const { ranNothing } = row.receipt;
  if (row.outcome !== 'succeeded') return { kind: 'failed', reason: failureOf(command, row) };
  if (ranNothing !== undefined) {
    const reason = `"${command}" exited zero and proves nothing: ${ranNothing}. Let it run its tests, then cite it again.`;
    return { kind: 'empty', reason };
  }
  const later = laterWrite(row, rows, scope);
  if (later !== undefined) {
    const reason = `"${command}" ran before the last write (${later}): it is stale, run it again.`;
    return { kind: 'stale', reason };
  }
  if (failsPlain()) {
    const variables = match.variables.join(' ');
    const reason = `"${command}" passes only with ${variables} and failed without: cite it with them, or make it pass.`;
    return { kind: 'different', reason };
  }
  return { kind: 'proves', seq: row.seq };
}

/** The same command without its variables failed, and no file has changed since. */
function failsWithout(
  cited: CitedRun,
  row: Settled,
  older: readonly Settled[],
  rows: readonly Settled[],
  shell: ShellReader,
  known: Map<string, Match>,
): boolean {
  const plain = older.findLast((one) => {
    const { kind, variables } = matchRow(cited, one, shell, known);
    return kind === 'proves' && variables.length === 0;
  });
  if (plain === undefined || plain.outcome !== 'failed') return false;
  return !rows.some((one) => one.seq > plain.seq && one.seq < row.seq && writesOf(one).length > 0);
}

function failureOf(command: string, { outcome, receipt }: Settled): string {
  if (outcome === 'unknown') return `The end of "${command}" was not seen: run it again.`;
  if (receipt.exitCode === undefined) return `"${command}" failed and proves nothing.`;
  return `"${command}" exited ${receipt.exitCode}: a command that exited non-zero proves nothing.`;
}

function laterWrite(
  run: Settled,
  rows: readonly Settled[],
  scope: readonly string[] | undefined,
): string | undefined {
  return rows
    .filter((row) => row.seq > run.seq)
    .flatMap(writesOf)
    .find((path) => scope === undefined || scope.some((part) => isMeantBy(path, part)));
}

const isWithin = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

/** Tells whether a scope entry covers a path. An unreadable glob covers everything. */
export function isMeantBy(path: string, scope: string): boolean {
  if (!hasMagic(scope)) return isWithin(path, normalisePath(scope));
  return !isPathGlob(scope) || matchesPath(scope, path);
}

function findPaths(
  piece: StepEvidence,
  rows: readonly Settled[],
  pathsOf: (row: Settled) => string[],
  verb: string,
): CitedReceipts {
  const paths = piece.paths?.map(normalisePath) ?? [];
  if (paths.length === 0) return { problem: `Evidence of kind ${piece.kind} has to name paths.` };
  const seqs: number[] = [];
  for (const path of paths) {
    const row = rows.findLast((one) => one.outcome === 'succeeded' && pathsOf(one).includes(path));
    if (row === undefined) return { problem: `No succeeded call has ${verb} "${path}".` };
    if (row.receipt.origin === 'person') {
      return { problem: `A person took "${path}" back to an earlier state: that work is undone.` };
    }
    seqs.push(row.seq);
  }
  return { seqs };
}

function writesOf({ receipt }: Settled): string[] {
  return (receipt.writes ?? []).map(normalisePath);
}

function touchesOf(row: Settled): string[] {
  return [...writesOf(row), ...(row.receipt.reads ?? []).map(normalisePath)];
}

/** One spelling for a path: forward slashes, no "." and no resolvable "..". */
export function normalisePath(path: string): string {
  const slashed = path.trim().replaceAll('\\', '/');
  const parts: string[] = slashed.startsWith('/') ? [''] : [];
  for (const part of slashed.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** How much of an inventory a refusal shows. */
const shown = 10;

function inventory(rows: readonly Settled[]): string {
  const ran = rows.flatMap(({ tool, outcome, receipt }) =>
    RUNS.has(tool) && receipt.command !== undefined
      ? [`"${receipt.command}" (${outcome ?? 'unknown'})`]
      : [],
  );
  const paths = rows.filter((row) => row.outcome === 'succeeded').flatMap(touchesOf);
  return `Commands that ran: ${newest(ran)}. Paths touched: ${newest(paths)}.`;
}

function newest(entries: readonly string[]): string {
  const unique = [...new Set(entries)].slice(-shown);
  return unique.length === 0 ? 'none' : unique.join(', ');
}
