import { askChangesEarly, checkpointsQuery } from './changes.ts';
import { goalQuery, sessionQuery, timelineQuery, turnsQuery } from './queries.ts';
import { queryClient } from './query-client.ts';

const OF_GOAL = /^\/goals\/([^/]+)(?:\/(\w+))?\/?$/;

/** Asks for what the address will show while the code that shows it still comes. */
export function askEarly({ pathname, search }: Location): void {
  void queryClient.prefetchQuery(sessionQuery);
  const [, id, tab = 'overview'] = OF_GOAL.exec(pathname) ?? [];
  const goalId = id === undefined ? null : decoded(id);
  if (goalId === null) return;
  void queryClient.prefetchQuery(goalQuery(goalId));
  const asked = new URLSearchParams(search);
  if (tab === 'changes') {
    void queryClient.prefetchQuery(checkpointsQuery(goalId));
    if (!asked.has('from') && !asked.has('to')) askChangesEarly(goalId);
  }
  if (tab !== 'overview') return;
  const turn = Number(asked.get('turn') ?? 0);
  void queryClient.prefetchInfiniteQuery(turnsQuery(goalId, turn > 0 ? turn : null));
  void queryClient.prefetchInfiniteQuery(timelineQuery(goalId));
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
