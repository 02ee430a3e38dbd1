import type { Goal } from '../../schema/goal.ts';
import type { History, HistoryRun, HistoryTurn } from '../../schema/history.ts';
import type { StoredRun } from '../contract/reads.ts';
import { decodeCursor, encodeCursor } from '../store/cursor.ts';
import { collectEvents } from '../temporal/collect-events.ts';
import { workflowIdOf } from '../temporal/names.ts';
import type { Ports } from './application.ts';

export type HistoryNeeds = 'reader' | 'histories' | 'settings';

const NEWEST = 2_147_483_647;

interface Page {
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly before: number | undefined;
  readonly hasTasks: boolean;
}

/**
 * Turns from the record, each with Temporal's own events where Temporal still has them. The record
 * alone decides which turns a page holds, so pages are the same without Temporal.
 */
export async function readHistory(
  ports: Ports<HistoryNeeds>,
  goal: Goal,
  page: Page,
): Promise<History> {
  const { goalId } = goal;
  const { reader } = ports;
  const before = firstBelow(page);
  const [found, runs, newest] = await Promise.all([
    reader.historyTurns(goalId, { before, limit: page.limit + 1 }),
    reader.runs(goalId),
    reader.newestEvent(goalId),
  ]);
  const hasMore = found.length > page.limit;
  const turns = hasMore ? found.slice(0, page.limit) : [...found, beforeTheFirst(goal, found)];
  const lowest = turns.at(-1)?.turn ?? 0;
  const { byTurn, cutAt, kept, state } = await collectEvents(ports.histories, goalId, runs, {
    lowest,
    before,
    hasTasks: page.hasTasks,
  });
  return {
    items: turns.map((turn) => ({
      ...turn,
      events: byTurn.get(turn.turn) ?? [],
      isCut: turn.turn <= cutAt,
    })),
    nextCursor: hasMore ? encodeCursor([lowest]) : null,
    runs: runs.map((run) => shownRun(ports, goalId, run, kept)),
    temporal: state,
    newest,
  };
}

function firstBelow({ cursor, before }: Page): number {
  const [turn] = decodeCursor(cursor, ['number']) ?? [before ?? NEWEST];
  return turn;
}

function shownRun(
  { settings }: Ports<'settings'>,
  goalId: string,
  run: StoredRun,
  kept: ReadonlyMap<number, boolean>,
): HistoryRun {
  const isKept = kept.get(run.number) ?? null;
  const pages = settings.temporalPages;
  if (pages === null || isKept === false) return { ...run, isKept, link: null };
  const workflow = encodeURIComponent(workflowIdOf(goalId, run.epoch));
  const namespace = encodeURIComponent(pages.namespace);
  const link = `${pages.url}/namespaces/${namespace}/workflows/${workflow}/${run.runId}/history`;
  return { ...run, isKept, link };
}

/** An entry for the events before the first turn. */
const beforeTheFirst = (
  { createdAt }: Goal,
  turns: readonly Pick<HistoryTurn, 'startedAt'>[],
): Omit<HistoryTurn, 'events' | 'isCut'> => ({
  turn: 0,
  kind: 'accepted',
  state: turns.length === 0 ? 'open' : 'settled',
  startedAt: createdAt,
  settledAt: turns.at(-1)?.startedAt ?? null,
  rule: null,
  ruleName: null,
  action: null,
  sentence: null,
  said: null,
  steps: [],
  calls: [],
});
