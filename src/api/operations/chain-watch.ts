import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerVerifier } from '../../contract/ledger-verifier.ts';
import type { ReaderPort } from '../../contract/reads.ts';
import { wholeSight } from '../../policy/sight.ts';

/** Checks the ledgers of recently changed goals while alerts are being read. */
export interface ChainWatch {
  /** Returns the result known by now; a slow round's result comes with a later call. */
  look(): Promise<ChainLook>;
}

export interface ChainLook {
  readonly checked: number;
  readonly broken: readonly { readonly goalId: string; readonly problem: string }[];
}

/** The pause between two rounds, and the most goals in a round. */
const PAUSE_MS = 30_000;
const GOALS_A_ROUND = 30;
const MOMENT_MS = 500;
const MOST_KNOWN = 1000;

interface Known {
  readonly updatedAt: string;
  readonly problem: string | null;
}

export function createChainWatch(
  reader: Pick<ReaderPort, 'goals'>,
  ledger: LedgerVerifier,
  clock: () => number = () => performance.now(),
): ChainWatch {
  const known = new Map<string, Known>();
  let lastAt = Number.NEGATIVE_INFINITY;
  let round: Promise<void> | null = null;

  async function walk(): Promise<void> {
    const page = {
      sight: wholeSight,
      sort: 'updated',
      group: 'none',
      archived: false,
      limit: GOALS_A_ROUND,
    } as const;
    const { items } = await reader.goals(page);
    if (known.size > MOST_KNOWN) known.clear();
    for (const { goalId, updatedAt } of items) {
      const before = known.get(goalId);
      // An intact, unchanged ledger is skipped; "check it whole" still reads all of it.
      if (before?.problem === null && before.updatedAt === updatedAt) continue;
      const verdict = await ledger.quick(goalId);
      known.set(goalId, {
        updatedAt,
        problem: verdict.holds ? null : (verdict.problem ?? 'It is broken'),
      });
    }
  }

  async function look(): Promise<ChainLook> {
    if (round === null && clock() - lastAt >= PAUSE_MS) {
      lastAt = clock();
      round = walk().finally(() => {
        round = null;
      });
      // A failed round changes nothing; the next one follows.
      round.catch(() => {});
    }
    if (round !== null) await momentOf(round.catch(() => {}));
    const broken = [...known].flatMap(([goalId, { problem }]) =>
      problem === null ? [] : [{ goalId, problem }],
    );
    return { checked: known.size, broken };
  }
  return { look };
}

async function momentOf(work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const moment = sleep(MOMENT_MS, undefined, { signal: over.signal }).catch(() => {});
  await Promise.race([work, moment]).finally(() => over.abort());
}
