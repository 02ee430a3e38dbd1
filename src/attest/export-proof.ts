import type { Approval } from '../../schema/approval.ts';
import type { Dispute } from '../../schema/dispute.ts';
import type { Goal } from '../../schema/goal.ts';
import type { GoalProof } from '../../schema/goal-proof.ts';
import type { GoalProofPredicate, LedgerSegment, ProofBase } from '../../schema/proof-bundle.ts';
import { Refusal } from '../contract/failures.ts';
import type { LedgerVerifier } from '../contract/ledger-verifier.ts';
import type { ProofExporter } from '../contract/proof-export.ts';
import type { ReaderPort } from '../contract/reads.ts';
import type { GoalEnd } from '../contract/worktrees.ts';
import { wholeSight } from '../policy/sight.ts';
import { checkPredicate } from './check-predicate.ts';
import type { Signer } from './dsse.ts';
import { BundleRefused } from './refused.ts';
import { SigningFailed } from './signer.ts';
import { digestOf, writeBundle } from './statements.ts';

/** @throws Refusal from both */
export function createProofExporter(ground: ExportGround): ProofExporter {
  return {
    export: (goalId) => exportProof(ground, goalId).catch(asRefusal),
    publicKey() {
      try {
        return ground.signer().publicKey.export({ type: 'spki', format: 'pem' }) as string;
      } catch (error) {
        return asRefusal(error);
      }
    },
  };
}

/** What is wrong with the signing key is for the caller to mend, who may be its owner. */
function asRefusal(error: unknown): never {
  if (error instanceof SigningFailed) throw new Refusal('unsupported', error.message);
  throw error;
}

export interface ExportGround extends RecordGround {
  readonly signer: () => Signer;
  readonly version: string;
}

export interface RecordGround {
  readonly reader: Pick<
    ReaderPort,
    'goal' | 'lastGate' | 'proofBase' | 'ledgerSegment' | 'approvals' | 'disputes'
  >;
  readonly ledger: Pick<LedgerVerifier, 'whole'>;
}

/**
 * The proof of a completed goal as a signed file: the same each time, but for the version.
 * @throws Refusal
 */
async function exportProof(ground: ExportGround, goalId: string): Promise<string> {
  return await writeBundle(ground.signer(), await provenOf(ground, goalId), ground.version);
}

/**
 * What the proof of a completed goal says.
 * @throws Refusal
 */
async function provenOf(ground: RecordGround, goalId: string): Promise<GoalProofPredicate> {
  const goal = await ground.reader.goal(goalId);
  if (goal === null) throw new Refusal('not_found', `There is no goal ${goalId}.`);
  const { completion } = goal;
  if (completion === undefined) {
    throw new Refusal(
      'invalid_transition',
      'The goal is not complete: only a completion is proven.',
    );
  }
  const gate = await ground.reader.lastGate(goalId);
  if (gate === null || gate.proof === null) {
    throw new Refusal('unsupported', noProof(goal), { level: completion.verification });
  }
  const chain = await ground.ledger.whole(goalId);
  if (!chain.holds) {
    throw new Refusal('unsupported', `The ledger does not hold: ${chain.problem ?? ''}`);
  }
  const { reader } = ground;
  const [base, approvals, disputes] = await Promise.all([
    reader.proofBase(goalId, gate.turn),
    reader.approvals({ goalId, state: 'all', sight: wholeSight }),
    reader.disputes(goalId),
  ]);
  const whole = citedIn(goal, gate.proof, disputes);
  const ledger = await reader.ledgerSegment(goalId, gate.turn, whole);
  const found = { proof: gate.proof, base, approvals, disputes, ledger };
  const predicate = predicateOf({ ...goal, completion }, found);
  assertSound(predicate);
  return predicate;
}

/** What the last commit of a complete goal's branch says; null = it is not complete. */
export async function goalEndOf(ground: RecordGround, goalId: string): Promise<GoalEnd | null> {
  const goal = await ground.reader.goal(goalId);
  if (goal?.completion === undefined) return null;
  const { objective, completion } = goal;
  const proof = await provenOf(ground, goalId).catch(noneIfRefused);
  return {
    ...{ objective, level: completion.verification },
    proof: proof && { tree: proof.proof.tree, digest: digestOf(proof) },
  };
}

function noneIfRefused(error: unknown): null {
  if (error instanceof Refusal && error.code === 'unsupported') return null;
  throw error;
}

function noProof({ completion, policy }: Goal): string {
  const level = completion?.verification.replaceAll('_', ' ');
  const why =
    policy.proof === 'workspace'
      ? 'its policy looks at the workspace alone'
      : 'no proof run carries it; "goalkeeper gate" says why';
  return `The goal is ${level}, and there is no proof to export: ${why}.`;
}

/** Nothing is signed that a reader would refuse. */
function assertSound(predicate: GoalProofPredicate): void {
  try {
    checkPredicate(predicate);
  } catch (error) {
    if (!(error instanceof BundleRefused)) throw error;
    throw new Refusal('unsupported', `The record does not show the proof: ${error.message}.`);
  }
}

const citedIn = (
  { criteria }: Pick<Goal, 'criteria'>,
  proof: GoalProof,
  disputes: readonly Dispute[],
): number[] => [
  ...new Set([
    ...criteria.flatMap(({ receipts }) => receipts),
    ...proof.criteria.flatMap(({ receipts }) => receipts),
    ...disputes.flatMap(({ runs }) => runs.map(({ receipt }) => receipt)),
  ]),
];

interface Found {
  readonly proof: GoalProof;
  readonly base: ProofBase;
  readonly approvals: readonly Approval[];
  readonly disputes: readonly Dispute[];
  readonly ledger: LedgerSegment;
}

function predicateOf(
  goal: Goal & { readonly completion: NonNullable<Goal['completion']> },
  { proof, base, approvals, disputes, ledger }: Found,
): GoalProofPredicate {
  const { completion } = goal;
  const predicate: GoalProofPredicate = {
    goal: {
      goalId: goal.goalId,
      objective: goal.objective,
      mode: goal.mode,
      model: goal.model,
      startedAt: goal.createdAt,
      completedAt: completion.at,
    },
    level: completion.verification,
    completedBy: completion.source,
    result: completion.result,
    isolation: completion.isolation ?? null,
    proof,
    base,
    criteria: goal.criteria,
    requirements: completion.coverage ?? null,
    approvals: approvals.map(({ kind, question, state, decidedBy, decidedAt, note, data }) => ({
      ...{ kind, question, state, decidedBy, decidedAt, note },
      changes: namesIn(data.changes),
    })),
    disputes: disputes.map(({ criterionId, kind, explanation, runs, state, decidedBy, note }) => ({
      ...{ criterionId, kind, explanation, runs, state, decidedBy, note },
    })),
    ledger,
  };
  // As a reader gets it: without what is undefined.
  return JSON.parse(JSON.stringify(predicate)) as GoalProofPredicate;
}

const namesIn = (changes: unknown): string[] =>
  typeof changes === 'object' && changes !== null ? Object.keys(changes) : [];
