import { type SpendLimit, SpendRefused } from '../../contract/spend.ts';
import {
  reachedLimit,
  reachedWords,
  type SpendNeed,
  unpricedWords,
} from '../../record/budget/spend-limits.ts';
import type { Database, Transaction } from '../client.ts';
import { type FoundLimit, limitsOfGoal, openWindows } from './standing-limits.ts';

/** Until calls under way have ended, seconds: they take less than they hold. */
const HELD_SECONDS = 15;

/** What a call may take, and by which model. */
export interface HeldCall {
  readonly goalId: string;
  readonly model: string;
  readonly tokens: number;
  /** Exact decimal; null = the model has no known price. */
  readonly costUsd: string | null;
}

/**
 * Runs `begin`, which stores a call as sent, in one transaction with the look at the limits that hold
 * for its goal: storing it has held them at its most, so two that begin at once never take more than
 * is left. A call that doesn't fit is not stored.
 * @throws SpendRefused
 */
export async function holdingLimits(
  db: Database,
  limits: readonly SpendLimit[],
  call: HeldCall,
  begin: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  for (;;) {
    try {
      return await db.begin(async (tx) => {
        const isStored = await begin(tx);
        if (isStored) await assertFits(tx, limits, call);
        return isStored;
      });
    } catch (error) {
      if (!(error instanceof Unopened)) throw error;
      await openWindows(db, error.found);
    }
  }
}

/** Nobody spent in the period so far: its windows are opened, and the call begins anew. */
class Unopened extends Error {
  readonly found: readonly FoundLimit[];

  constructor(found: readonly FoundLimit[]) {
    super('a spend window is not open');
    this.found = found;
  }
}

async function assertFits(
  tx: Transaction,
  limits: readonly SpendLimit[],
  { goalId, model, tokens, costUsd }: HeldCall,
): Promise<void> {
  const found = await limitsOfGoal(tx, goalId, limits);
  const unpriced = costUsd === null && found.find(({ limit }) => limit.costUsd !== null);
  if (unpriced) throw new SpendRefused(unpricedWords(unpriced, model), null);
  if (found.some(({ isOpen }) => !isOpen)) throw new Unopened(found);
  const need: SpendNeed = { tokens, costUsd: costUsd ?? '0' };
  const reached = reachedLimit(found, need);
  if (reached === null) return;
  const [{ now }] = await tx<[{ now: string }]>`SELECT now() AS now`;
  const left = Math.ceil((Date.parse(reached.standing.to) - Date.parse(now)) / 1000);
  const seconds = Math.max(1, reached.isHeldAlone ? Math.min(left, HELD_SECONDS) : left);
  throw new SpendRefused(reachedWords(reached), seconds);
}
