import type { Isolation } from '../../schema/isolation.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { GoalProofPredicate } from '../../schema/proof-bundle.ts';
import { askedFor } from '../proof/proof-parts.ts';
import { scopeTest } from '../proof/scope/scope.ts';
import { isWhole, type WalkedSegment, walkSegment } from '../store/ledger/ledger-segment.ts';
import { BundleRefused } from './refused.ts';

type Tracked = GoalProofPredicate['criteria'][number];
type Proven = GoalProofPredicate['proof']['criteria'][number];

/**
 * Is what the proof claims what its receipts say?
 * @throws BundleRefused
 */
export function checkPredicate(predicate: GoalProofPredicate): void {
  walkLedger(predicate);
  checkClaims(predicate);
}

/** @throws BundleRefused if its rows are no chain */
export function walkLedger({ ledger }: GoalProofPredicate): WalkedSegment {
  const walked = walkSegment(ledger);
  if (typeof walked !== 'string') return walked;
  throw new BundleRefused('ledger_chain', `the ledger: ${walked}`);
}

/** @throws BundleRefused if its rows don't show what is claimed */
export function checkClaims(predicate: GoalProofPredicate): void {
  const problem = findContradiction(predicate);
  if (problem !== null) throw new BundleRefused('inconsistent', problem);
}

function findContradiction(predicate: GoalProofPredicate): string | null {
  const { criteria, proof } = predicate;
  const rows = new Map(predicate.ledger.rows.filter(isWhole).map((row) => [row.seq, row]));
  for (const one of proof.criteria) {
    const tracked = criteria.find(({ criterionId }) => criterionId === one.criterionId);
    const problem =
      tracked === undefined ? 'is not one' : proofProblem(predicate, tracked, one, rows);
    if (problem !== null) return `criterion ${one.criterionId} ${problem}`;
  }
  for (const { criterionId, receipts } of criteria) {
    const absent = receipts.find((seq) => !isReceiptOf(rows.get(seq)));
    if (absent !== undefined)
      return `criterion ${criterionId} cites row ${absent}, which is no receipt in it`;
  }
  return levelProblem(predicate) ?? scopeProblem(predicate) ?? isolationProblem(predicate, rows);
}

const isReceiptOf = (row: LedgerRow | undefined): row is LedgerRow => row?.phase === 'settled';

/** What a sealed run saw is in no ledger: its row is the host's word, and all there is. */
function sealedProblem(row: LedgerRow | undefined): string | null {
  const isHosts = row?.tool === 'check.sealed' && row.receipt?.origin === 'gate';
  if (!isHosts) return 'has no judging by the host';
  return row.outcome === 'succeeded'
    ? null
    : `ended ${row.outcome ?? 'nowhere'} where it was judged`;
}

/** Runs on the proven tree are told by the tree that their receipts name. */
function proofProblem(
  { proof }: GoalProofPredicate,
  { spec, state }: Tracked,
  { criterionId, receipts, canaries }: Proven,
  rows: ReadonlyMap<number, LedgerRow>,
): string | null {
  if (state !== 'met') return `is ${state}, and claimed as proven`;
  if (canaries?.state === 'bent') return 'bends its own judge';
  const cited = receipts.map((seq) => rows.get(seq));
  if (!cited.every(isReceiptOf)) return 'cites a run that is not in the ledger segment';
  if (cited.some(({ receipt }) => receipt?.criterionId !== criterionId)) {
    return 'cites a run of another criterion';
  }
  if (spec.kind === 'sealed') return sealedProblem(cited.at(-1));
  const runs = cited.filter(({ receipt }) => receipt?.proof?.tree === proof.tree);
  const last = runs.at(-1);
  if (last === undefined) return 'has no run on the proven tree';
  if (runs.some(({ tool, receipt }) => tool !== 'check.proof' || receipt?.origin !== 'gate')) {
    return 'cites a run that is not the host’s own';
  }
  // A checker may fail in files that the criterion doesn't ask about.
  const isPartial = spec.kind === 'diagnostics' && spec.paths !== undefined;
  if (last.outcome !== 'succeeded' && !isPartial) {
    return `ended ${last.outcome ?? 'nowhere'} on the proven tree`;
  }
  if (spec.kind !== 'command') return null;
  const { exitCode, command, cwd, ranNothing } = last.receipt ?? {};
  const wanted = spec.expectExit ?? 0;
  if (exitCode !== wanted) return `exited ${exitCode}, not ${wanted}`;
  if (command !== spec.command || cwd !== (spec.cwd ?? '.')) return 'ran another command';
  return ranNothing === undefined ? null : 'ran nothing';
}

/** What `verified` needs: all met, what a tree can show shown by it, and one that failed before. */
function levelProblem({ level, criteria, proof, completedBy }: GoalProofPredicate): string | null {
  if (level !== 'verified') return null;
  const claimed = 'and the level is verified';
  if (completedBy === 'person') return `a person declared it complete, ${claimed}`;
  const proven = new Set(proof.criteria.map(({ criterionId }) => criterionId));
  const open = criteria.find(
    (one) => one.state !== 'met' || (hasProofRun(one) && !proven.has(one.criterionId)),
  );
  if (open !== undefined) return `criterion ${open.criterionId} is not proven, ${claimed}`;
  if (!criteria.some((one) => one.baseline === 'unmet' && isOfHost(one))) {
    return `no check of the host failed before, ${claimed}`;
  }
  if (!proof.selfChecked || criteria.some(({ spec }) => spec.kind === 'review')) return null;
  return `the goal judged itself, ${claimed}`;
}

const isOfHost = ({ spec }: Tracked): boolean =>
  spec.kind !== 'approval' && !(spec.kind === 'command' && spec.check === 'receipt');

const hasProofRun = (one: Tracked): boolean =>
  isOfHost(one) && ['command', 'diagnostics'].includes(one.spec.kind);

function scopeProblem({ proof, criteria, approvals }: GoalProofPredicate): string | null {
  const approved = approvals.filter(({ state }) => state === 'approved');
  const open = proof.accepted.find(
    (name) => !approved.some(({ changes }) => changes.includes(name)),
  );
  if (open !== undefined) return `${open} is claimed as accepted, and no approval names it`;
  const isIn = scopeTest(proof.scope);
  const may = new Set([...proof.accepted, ...askedFor(criteria)]);
  const beyond = proof.files.find(({ path }) => !isIn(path) && !may.has(path));
  return beyond === undefined ? null : `${beyond.path} is beyond the scope, and nobody accepted it`;
}

const STRENGTH: Record<Isolation, number> = { none: 0, partial: 1, full: 2 };

function isolationProblem(
  { isolation }: GoalProofPredicate,
  rows: ReadonlyMap<number, LedgerRow>,
): string | null {
  if (isolation === null) return null;
  const weaker = [...rows.values()].find(
    ({ receipt }) => STRENGTH[receipt?.isolation ?? 'full'] < STRENGTH[isolation],
  );
  return weaker === undefined ? null : `row ${weaker.seq} ran with less isolation than is claimed`;
}
