import type { LedgerRow, Receipt } from '../../schema/ledger.ts';
import type { StepEvidence } from '../../schema/todo.ts';
import { commandMatches } from './command-match.ts';

export type EvidenceMatch =
  | { readonly ok: true; readonly seqs: readonly number[]; readonly isVerified: boolean }
  | { readonly ok: false; readonly reason: string };

/** A settled row with its receipt. */
type Settled = LedgerRow & { readonly receipt: Receipt };

type Found = { readonly seqs: readonly number[] } | { readonly problem: string };

/**
 * Finds the receipts that each piece of cited evidence rests on; one piece without any refuses
 * all. `isVerified` is false where only `manual` evidence was given.
 */
export function matchEvidence(
  evidence: readonly StepEvidence[],
  receipts: readonly LedgerRow[],
): EvidenceMatch {
  const rows = receipts.filter(isSettled).sort((left, right) => left.seq - right.seq);
  const seqs: number[] = [];
  for (const piece of evidence) {
    const found = findReceipts(piece, rows);
    if ('problem' in found) return { ok: false, reason: `${found.problem} ${inventory(rows)}` };
    seqs.push(...found.seqs);
  }
  const isVerified = evidence.some((piece) => piece.kind !== 'manual');
  return { ok: true, seqs: [...new Set(seqs)].sort((a, b) => a - b), isVerified };
}

function isSettled(row: LedgerRow): row is Settled {
  return row.phase === 'settled' && row.receipt !== undefined && row.receipt.origin !== 'baseline';
}

function findReceipts(piece: StepEvidence, rows: readonly Settled[]): Found {
  switch (piece.kind) {
    case 'verification':
      return findVerification(piece, rows);
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

function findVerification(piece: StepEvidence, rows: readonly Settled[]): Found {
  const { command } = piece;
  if (command === undefined) return { problem: 'Verification evidence has to name its command.' };
  const run = rows.findLast((row) => isRunOf(command, row));
  if (run === undefined) return { problem: `No command that ran matches "${command}".` };
  if (run.outcome !== 'succeeded') return { problem: failureOf(command, run) };
  const later = laterWrite(run, rows, piece.paths);
  if (later === undefined) return { seqs: [run.seq] };
  const problem = `"${command}" ran before the last write (${later}): it is stale, run it again.`;
  return { problem };
}

function isRunOf(command: string, { tool, outcome, receipt }: Settled): boolean {
  if (tool !== 'run_command' || outcome === 'refused' || receipt.command === undefined)
    return false;
  return commandMatches(command, {
    command: receipt.command,
    cwd: receipt.cwd,
    expectFailure: receipt.expectFailure,
  });
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
  const inScope = scope?.map(normalisePath);
  return rows
    .filter((row) => row.seq > run.seq)
    .flatMap(writesOf)
    .find((path) => inScope === undefined || inScope.some((part) => isWithin(path, part)));
}

function isWithin(path: string, scope: string): boolean {
  return scope === '' || path === scope || path.startsWith(`${scope}/`);
}

function findPaths(
  piece: StepEvidence,
  rows: readonly Settled[],
  pathsOf: (row: Settled) => string[],
  verb: string,
): Found {
  const paths = piece.paths?.map(normalisePath) ?? [];
  if (paths.length === 0) return { problem: `Evidence of kind ${piece.kind} has to name paths.` };
  const seqs: number[] = [];
  for (const path of paths) {
    const row = rows.findLast((one) => one.outcome === 'succeeded' && pathsOf(one).includes(path));
    if (row === undefined) return { problem: `No succeeded call has ${verb} "${path}".` };
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
    tool === 'run_command' && receipt.command !== undefined
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
