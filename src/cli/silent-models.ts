import type { Goal } from '../../schema/goal.ts';
import type { ModelCall } from '../../schema/model-call.ts';
import type { Client } from './client.ts';
import { batches } from './follow.ts';
import { ticking } from './screen/units.ts';
import type { HeardPiece } from './watch/heard-words.ts';
import { isSilent, modelWords } from './watch/model-words.ts';

/** More goals than a person reads are not asked after. */
const MOST_ASKED = 10;
/** The words of an answer that is under way come at once where there are any. */
const LISTENS_MS = 1000;

/** By goal: that its model is silent, and for how long. A goal that can't be read is left out. */
export async function silentModels(
  client: Client,
  goals: readonly Goal[],
  now: number = Date.now(),
): Promise<ReadonlyMap<string, string>> {
  const running = goals.filter(({ activity }) => activity.state === 'running');
  const told = await Promise.all(
    running.slice(0, MOST_ASKED).map(async (goal) => {
      const words = await silenceOf(client, goal, now).catch(() => null);
      return words === null ? [] : [[goal.goalId, words] as const];
    }),
  );
  return new Map(told.flat());
}

async function silenceOf(client: Client, goal: Goal, now: number): Promise<string | null> {
  const { goalId, usage } = goal;
  const path = `/v1/goals/${goalId}`;
  const asked = `${path}/turns/${Math.max(1, usage.own.turns)}/model-calls`;
  const { items } = await client.get<{ items: ModelCall[] }>(asked);
  const open = items.findLast(({ state }) => state === 'sent');
  const quietMs = open === undefined ? null : now - Date.parse(open.startedAt);
  if (!isSilent(quietMs)) return null;
  const calls = await client.get<{ items: unknown[] }>(`${path}/calls?outcome=running&limit=1`);
  if (calls.items.length > 0 || (await isHeard(client, goalId))) return null;
  return `${modelWords(goal, quietMs)} ${ticking(quietMs / 1000)}`;
}

/** Words are in no record before their answer ends: who listens hears the answer from its start. */
async function isHeard(client: Client, goalId: string): Promise<boolean> {
  const path = `/v1/events?goal=${encodeURIComponent(goalId)}`;
  let isHeard = false;
  const leaving = new AbortController();
  const timer = setTimeout(() => leaving.abort(), LISTENS_MS);
  try {
    const answer = await client.open(path, {}, leaving.signal);
    const onPassing = ({ type, data }: { type: string; data: unknown }) => {
      isHeard ||= type === 'model.text' && (data as HeardPiece).text !== '';
    };
    for await (const _ of batches(answer, onPassing)) if (isHeard) return true;
    return isHeard;
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
    return isHeard;
  } finally {
    clearTimeout(timer);
    leaving.abort();
  }
}
