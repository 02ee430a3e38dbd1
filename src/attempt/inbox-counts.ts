import type { JournalPort } from '../contract/journal.ts';
import type { TurnFacts } from '../contract/turn-facts.ts';

interface Inbox {
  readonly journal: Pick<JournalPort, 'unread' | 'delegates'>;
}

/** Counts of untaken inbox messages; without delegates when a goal has none. */
export async function inboxCounts(
  { journal }: Inbox,
  goalId: string,
): Promise<Pick<TurnFacts, 'unread' | 'programs' | 'amended' | 'delegates'>> {
  const { persons, programs, isAmended } = await journal.unread(goalId);
  const unread = {
    unread: persons,
    ...(programs > 0 && { programs }),
    ...(isAmended && { amended: true as const }),
  };
  const { staged: _, ...delegates } = await journal.delegates(goalId);
  return delegates.unread + delegates.awaited === 0 ? unread : { ...unread, delegates };
}
