import type { Goal, Inbox, InboxItem } from '../api/types.ts';

export interface Entry {
  readonly item: InboxItem;
  readonly goal: Goal;
  /** It waits no longer, and stays as long as somebody looks at it. */
  readonly isGone: boolean;
}

export interface Place {
  readonly entry: Entry;
  readonly index: number;
}

/** The items with their goals, in their order. */
export function entriesOf({ items, goals }: Pick<Inbox, 'items' | 'goals'>): Entry[] {
  const known = new Map(goals.map((goal) => [goal.goalId, goal]));
  return items.flatMap((item) => {
    const goal = known.get(item.goalId);
    return goal === undefined ? [] : [{ item, goal, isGone: false }];
  });
}

/** What is looked at stays where it was, also when somebody else has answered it. */
export function withKept(entries: readonly Entry[], seen: Place | null): readonly Entry[] {
  if (seen === null || indexOf(entries, seen.entry.item.itemId) >= 0) return entries;
  const at = Math.min(seen.index, entries.length);
  return [...entries.slice(0, at), { ...seen.entry, isGone: true }, ...entries.slice(at)];
}

export const indexOf = (entries: readonly Entry[], itemId: string | null): number =>
  entries.findIndex(({ item }) => item.itemId === itemId);

/** The item so many places on; the first and the last one hold. */
export function stepFrom(entries: readonly Entry[], itemId: string | null, by: number) {
  const at = Math.max(0, Math.min(entries.length - 1, indexOf(entries, itemId) + by));
  return entries[at]?.item.itemId ?? null;
}

/** Where to go on once this one is answered: the next, else the one before it; null = all is done. */
export function nextAfter(entries: readonly Entry[], itemId: string): string | null {
  const at = indexOf(entries, itemId);
  const left = entries.filter(({ item }) => item.itemId !== itemId);
  return left[Math.min(Math.max(at, 0), left.length - 1)]?.item.itemId ?? null;
}

/** Items that were not there before; none at the first look. */
export function arrivedIn(before: readonly InboxItem[] | null, now: readonly InboxItem[]) {
  if (before === null) return [];
  const known = new Set(before.map(({ itemId }) => itemId));
  return now.filter(({ itemId }) => !known.has(itemId));
}
