import type { KeyObject } from 'node:crypto';
import type { GoalProofPredicate } from '../../schema/proof-bundle.ts';
import { checkClaims, walkLedger } from './check-predicate.ts';
import { compareCheckout, type Rebuilt } from './checkout.ts';
import { openBundle } from './dsse.ts';
import { BundleRefused } from './refused.ts';
import type { Rerun } from './rerun.ts';
import { storeIn } from './rerun.ts';
import { readStatements } from './statements.ts';

export interface Verdict {
  readonly goalId: string;
  readonly objective: string;
  readonly level: GoalProofPredicate['level'];
  /** Whose key signed it. */
  readonly keyId: string;
  readonly tree: string;
  readonly files: number;
  /** What was checked, and how it stood before and after. */
  readonly criteria: readonly { readonly criterionId: string; readonly text: string }[];
  /** Differences from the proven tree that the proof did without. */
  readonly besides: readonly string[];
  /** Files that no proof has, because they are too large or unreadable. */
  readonly unkept: readonly string[];
  /** Rows of the ledger: recomputed here, or sealed by a key of the installation. */
  readonly ledger: { readonly recomputed: number; readonly sealed: number };
  readonly isolation: GoalProofPredicate['isolation'];
  /** Null where the proof run was not repeated. */
  readonly rerun: readonly Rerun[] | null;
}

/** What held until a fault was found, for whoever tells it. */
export interface Held {
  signature?: { readonly keyId: string; readonly predicate: GoalProofPredicate };
  ledger?: Verdict['ledger'];
  files?: Pick<Verdict, 'besides' | 'unkept'>;
}

export interface Verifying {
  readonly file: Buffer;
  /** Where the file lies. */
  readonly path: string;
  readonly keys: readonly KeyObject[];
  /** The checkout. */
  readonly folder: string;
  /** A folder for what is made meanwhile; the caller removes it. */
  readonly home: string;
  readonly rerun?: (predicate: GoalProofPredicate, rebuilt: Rebuilt) => Promise<Rerun[]>;
  /** Gets each part once it is found to hold. */
  readonly held?: Held;
}

/**
 * Is the file genuine, does it show what it claims, and is the checkout what was proven? Asks
 * nothing but the file, the checkout and the keys.
 * @throws BundleRefused
 */
export async function verifyBundle(order: Verifying): Promise<Verdict> {
  const { file, path, keys, folder, home, held = {} } = order;
  const signed = openBundle(file, keys);
  const predicate = readStatements(signed);
  const keyId = signed[0]?.keyId ?? '';
  held.signature = { keyId, predicate };
  const ledger = walkLedger(predicate);
  held.ledger = ledger;
  checkClaims(predicate);
  const { goal, level, proof, isolation } = predicate;
  const rebuilt = await compareCheckout({ folder, place: storeIn(home), bundle: path }, predicate);
  const { besides } = rebuilt;
  const { unkept } = rebuilt.base;
  held.files = { besides, unkept };
  if (level !== 'verified') {
    const said = level.replaceAll('_', ' ');
    throw new BundleRefused(
      'not_verified',
      `it is genuine, and says that the goal is ${said} only`,
    );
  }
  const rerun = (await order.rerun?.(predicate, rebuilt)) ?? null;
  return {
    goalId: goal.goalId,
    objective: goal.objective,
    level,
    keyId,
    tree: proof.tree,
    files: proof.files.length,
    criteria: predicate.criteria.map(criterionOf),
    besides,
    unkept,
    ledger,
    isolation,
    rerun,
  };
}

function criterionOf({
  criterionId,
  spec,
  baseline,
  state,
}: GoalProofPredicate['criteria'][number]) {
  const what = 'command' in spec ? spec.command : 'path' in spec ? spec.path : (spec.name ?? '');
  return { criterionId, text: `${spec.kind} ${what}: ${BEFORE[baseline]}, ${state} now` };
}

const BEFORE = { met: 'held before', unmet: 'failed before', not_run: 'not run before' } as const;
