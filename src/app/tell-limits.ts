import { isDeepStrictEqual } from 'node:util';
import type { GoalEpoch } from '../contract/histories.ts';
import type { SpendLimit } from '../contract/spend.ts';

interface TellPorts {
  readonly limits: () => readonly SpendLimit[];
  readonly waiting: () => Promise<readonly GoalEpoch[]>;
  readonly notify: (goal: GoalEpoch) => Promise<void>;
}

/**
 * Has goals that wait for a spend limit look again once this process knows others: at its start, and
 * when the file was read again. One that Temporal did not take is told in the next round.
 */
export function createLimitTeller({ limits, waiting, notify }: TellPorts): () => Promise<void> {
  let told: readonly SpendLimit[] | null = null;
  return async () => {
    const present = limits();
    if (told !== null && (told === present || isDeepStrictEqual(told, present))) return;
    for (const goal of await waiting()) await notify(goal);
    told = present;
  };
}
