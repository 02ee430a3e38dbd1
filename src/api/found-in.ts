import { callSeq, callSubject } from '../../schema/call-subject.ts';
import type { Goal } from '../../schema/goal.ts';
import type { Found } from '../../schema/search.ts';
import { textsOfTurn, wordsAround } from '../../schema/words-around.ts';
import type { HoldingGoal, Page } from '../contract/reads.ts';
import type { Sight } from '../contract/sight.ts';
import type { Ports } from './application.ts';

/** Turns, and calls, of each goal. */
const OF_EACH = 3;

interface Asked {
  readonly sight: Sight;
  readonly q: string;
  /** By `performance.now()`. */
  readonly until: number;
}

/**
 * Where the goals hold the words, in their order. What the search went by is looked at again, and
 * nothing else, so no goal that it found is missing. Of the first goal that is told whatever the
 * time, of the others as long as there is some; the cursor leads to those that are left.
 */
export async function foundIn(
  { reader }: Ports<'reader'>,
  { items, nextCursor }: Page<HoldingGoal>,
  { sight, q, until }: Asked,
): Promise<Page<Found>> {
  if (items.length === 0) return { items: [], nextCursor };
  const goalIds = items.map(({ goalId }) => goalId);
  const asked = { sight, goalIds, sort: 'updated', archived: false, limit: items.length } as const;
  const goals = await reader.goals(asked);
  const known = new Map(goals.items.map((goal) => [goal.goalId, goal]));
  const found: Found[] = [];
  let cursor: string | null = null;
  for (const one of items) {
    if (found.length > 0 && performance.now() >= until) return { items: found, nextCursor: cursor };
    cursor = one.cursor;
    const goal = known.get(one.goalId);
    if (goal !== undefined) found.push(await placesIn(reader, goal, q));
  }
  return { items: found, nextCursor };
}

async function placesIn(reader: Ports<'reader'>['reader'], goal: Goal, q: string): Promise<Found> {
  const page = { q, limit: OF_EACH };
  const [turns, calls] = await Promise.all([
    reader.turns(goal.goalId, page),
    reader.calls(goal.goalId, { ...page, outputs: 'seen' }),
  ]);
  return {
    goal,
    turns: turns.items.map((turn) => ({
      turn: turn.turn,
      text: wordsAround(textsOfTurn(turn), q),
    })),
    calls: calls.items.map((call) => ({
      ...{ seq: callSeq(call), tool: call.tool, text: callSubject(call) },
    })),
  };
}
