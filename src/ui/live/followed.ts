import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../api/keys.ts';
import {
  fetchCalls,
  fetchHistory,
  fetchTimeline,
  fetchTurns,
  TURNS_ON_MAP,
} from '../api/queries.ts';
import type { Call, CallQuery } from '../api/types.ts';
import { lacksAnswer } from '../view/temporal-notice.ts';
import { refreshHead } from './head.ts';

/** How long news of one goal are gathered before its details are asked for again. */
const GATHER_MS = 400;
/** Turns of the map to refetch: as many as can have begun since the last look. */
const NEWEST_TURNS = 20;
/** Turns of the history, which also asks Temporal: those that run or have just settled. */
const NEWEST_HISTORY = 4;
/** Lists change their order less often than their rows: moving rows can't be read. */
const LISTS_MS = 1000;
/** A goal that goes on may put a proposal to a person at any step; those can wait. */
const PROPOSALS_MS = 3000;

/** Refetches data that a notice can't carry, and only queries in use. */
export function createFollower(client: QueryClient) {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  const soon = (name: string, after: number, act: () => void) => {
    if (waiting.has(name)) return;
    const run = () => {
      waiting.delete(name);
      act();
    };
    waiting.set(name, setTimeout(run, after));
  };
  return {
    goal: (goalId: string) => soon(goalId, GATHER_MS, () => refreshDetails(client, goalId)),
    lists: () =>
      soon('lists', LISTS_MS, () => {
        void client.invalidateQueries({ queryKey: keys.allGoals });
        void client.invalidateQueries({ queryKey: keys.counts });
        void client.invalidateQueries({ queryKey: keys.inbox });
      }),
    proposals: () =>
      soon('proposals', PROPOSALS_MS, () => {
        void client.invalidateQueries({ queryKey: keys.inbox });
      }),
    close: () => {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}

function refreshDetails(client: QueryClient, goalId: string): void {
  void client.invalidateQueries({ queryKey: keys.detail(goalId) });
  void client.invalidateQueries({
    queryKey: ['call', goalId],
    predicate: ({ state }) => (state.data as Call | undefined)?.settledSeq === null,
  });
  void refreshHead(
    client,
    keys.timeline(goalId),
    () => fetchTimeline(goalId, NEWEST_TURNS),
    ({ turn }) => turn,
    { most: TURNS_ON_MAP },
  );
  for (const queryKey of listsOf(client, goalId, 'turns')) {
    const from = queryKey[3] as number | null;
    void refreshHead(
      client,
      queryKey,
      () => fetchTurns(goalId, null, from),
      ({ turn }) => turn,
    );
  }
  for (const queryKey of listsOf(client, goalId, 'history')) {
    const [, , , before, hasTasks] = queryKey as [string, string, string, number | null, boolean];
    void refreshHead(
      client,
      queryKey,
      () => fetchHistory(goalId, { before, hasTasks, limit: NEWEST_HISTORY }),
      ({ turn }) => turn,
      { isLacking: (turns, { temporal }) => temporal !== 'away' && lacksAnswer(turns) },
    );
  }
  for (const queryKey of listsOf(client, goalId, 'calls')) {
    const query = queryKey[3] as CallQuery;
    void refreshHead(
      client,
      queryKey,
      () => fetchCalls(goalId, query, null),
      ({ callId }) => callId,
    );
  }
}

/** One list may be open in several places, each with its own query key. */
const listsOf = (client: QueryClient, goalId: string, list: 'turns' | 'calls' | 'history') =>
  client
    .getQueryCache()
    .findAll({ queryKey: ['pages', goalId, list] })
    .map(({ queryKey }) => queryKey);
