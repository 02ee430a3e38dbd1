import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Goal } from '../../../schema/goal.ts';
import type { Turn } from '../../../schema/turn.ts';
import { ApiProblem, type Client } from '../client.ts';
import { block, type HookAnswer, tell } from './answer.ts';
import { eventKey, type HookEvent } from './event.ts';
import { provingWords, standingWords } from './words.ts';

const LOOK_MS = 250;
/** A stop that is told again within this time gets the answer of the first; later it is a new one. */
const TOLD_AGAIN_MS = 120_000;
/** Workers that restart, or are too busy to say that they live, are back within this time. */
const WORKER_PATIENCE_MS = 60_000;

interface Stopping {
  readonly client: Client;
  readonly event: HookEvent;
  readonly goalId: string;
  /** When the hook has to have answered, milliseconds. */
  readonly until: number;
  /** Since when no worker was seen, milliseconds; null = one was at the last look. */
  unservedSince?: number | null;
}

/**
 * The gate at the end of a session's turn. It blocks only where the service itself has just said
 * that the goal goes on; whatever else is the case lets the session end.
 */
export async function answerStop(stopping: Stopping): Promise<HookAnswer> {
  const ended = await endTurn(stopping);
  if ('answer' in ended) return ended.answer;
  return await judgement(stopping, ended.turn);
}

type Ended = { readonly turn: number } | { readonly answer: HookAnswer };

async function endTurn(stopping: Stopping): Promise<Ended> {
  const { client, event, goalId } = stopping;
  let key = eventKey(event);
  for (;;) {
    const goal = await get(stopping);
    if (isAtRest(goal, stopping)) return { answer: tell(standingWords(goal)) };
    if (goal.activity.on !== 'session') {
      if (!(await stillTime(stopping))) return { answer: tell(provingWords(goal)) };
      continue;
    }
    const [newest] = await turns(stopping, 1);
    if (newest === undefined) return { answer: tell(standingWords(goal)) };
    const text = event.last_assistant_message ?? '';
    const body = { sessionId: event.session_id, turn: newest.turn, text };
    try {
      await client.send('POST', `/v1/goals/${goalId}/turn-end`, body, key);
      return { turn: newest.turn };
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      // The same stop ended an earlier turn: it is told again, or nobody noticed that it is not.
      if (error.problem.code === 'idempotency_mismatch') {
        const before = await toldBefore(stopping);
        if (before !== null) return { turn: before };
        key = `hook-${randomUUID()}`;
        continue;
      }
      if (!isOvertaken(error)) throw error;
      if (!(await stillTime(stopping))) return { answer: tell(provingWords(goal)) };
    }
  }
}

/** Another session, or a person, was faster. */
const isOvertaken = ({ problem: { code } }: ApiProblem): boolean =>
  code === 'goal_conflict' || code === 'invalid_transition' || code === 'request_in_progress';

/** The newest judged turn, if it was judged just now. */
async function toldBefore(stopping: Stopping): Promise<number | null> {
  const judged = (await turns(stopping, 2)).find(({ decision }) => decision !== null);
  const at = judged?.decision?.at;
  if (judged === undefined || at === undefined) return null;
  return Date.now() - Date.parse(at) < TOLD_AGAIN_MS ? judged.turn : null;
}

async function judgement(stopping: Stopping, turn: number): Promise<HookAnswer> {
  for (;;) {
    const goal = await get(stopping);
    if (isAtRest(goal, stopping)) return tell(standingWords(goal));
    if (goal.activity.on === 'session') {
      const [newest] = await turns(stopping, 1);
      if (newest !== undefined && newest.turn > turn) return block(wordsOf(newest));
    }
    if (!(await stillTime(stopping))) return tell(provingWords(goal));
  }
}

/** What the host and people say at the beginning of the turn that the session goes on with. */
function wordsOf({ messages }: Turn): string {
  const said = messages.flatMap(({ voice, text }) => {
    if (voice === 'host') return [text];
    return voice === 'person' ? [`A person says:\n${text}`] : [];
  });
  return said.length === 0 ? 'The goal is not proven yet: go on.' : said.join('\n\n');
}

/** Nothing that a session does leads it on. */
function isAtRest({ status, archivedAt, activity }: Goal, stopping: Stopping): boolean {
  if (status !== 'active' || archivedAt !== undefined) return true;
  if (activity.on === 'worker') {
    stopping.unservedSince ??= Date.now();
    return Date.now() - stopping.unservedSince > WORKER_PATIENCE_MS;
  }
  stopping.unservedSince = null;
  return activity.state === 'waiting' && activity.actor !== 'Agent';
}

const get = ({ client, goalId }: Stopping): Promise<Goal> =>
  client.get<Goal>(`/v1/goals/${goalId}`);

async function turns({ client, goalId }: Stopping, limit: number): Promise<Turn[]> {
  const page = `/v1/goals/${goalId}/turns?limit=${limit}`;
  return (await client.get<{ items: Turn[] }>(page)).items;
}

async function stillTime({ until }: Stopping): Promise<boolean> {
  await pause(LOOK_MS);
  return Date.now() < until;
}
