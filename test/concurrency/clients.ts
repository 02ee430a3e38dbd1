import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { Goal } from '../../schema/goal.ts';
import type { Called } from '../api/calls.ts';
import { worldCaller } from '../api/world-calls.ts';
import type { GoalWorld } from '../support/goal-world.ts';
import type { Verb } from './rules.ts';

export type Act = Verb | 'start' | 'replace';

/** One thing that a client does next. */
export interface Step {
  readonly act: Act;
  /** Which revision it names: none, the one that it reads first, one before that, one to come. */
  readonly names: 'none' | 'read' | 'stale' | 'future';
  /** Sends the same request a second time at the same moment. */
  readonly isDoubled: boolean;
  readonly turns: number;
  readonly pauseMs: number;
}

/** What was sent, what was known by then, and what came back. */
export interface Sent {
  readonly act: Act;
  /** Goal that it names; null for a start that names none. */
  readonly goalId: string | null;
  readonly body: Readonly<Record<string, unknown>>;
  /** Newest revision of each goal that anybody had been told of before this was sent. */
  readonly known: ReadonlyMap<string, number>;
  readonly key: string;
  readonly answer: Pick<Called, 'status' | 'body'>;
}

const acts: Act[] = ['amend', 'budget', 'budget', 'pause', 'resume', 'resume', 'message', 'steer'];
const ends: Act[] = ['complete', 'clear', 'replace', 'start'];

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.oneof(
    { arbitrary: fc.constantFrom(...acts), weight: 8 },
    { arbitrary: fc.constantFrom(...ends), weight: 2 },
  ),
  names: fc.constantFrom('none', 'none', 'read', 'read', 'stale', 'future'),
  isDoubled: fc.boolean(),
  turns: fc.integer({ min: 1, max: 12 }),
  pauseMs: fc.constantFrom(0, 0, 5, 40),
});

export const CLIENTS = 8;

/** What each client does, one after the other; the clients are not held together. */
export const plans = fc.array(fc.array(step, { minLength: 5, maxLength: 7 }), {
  minLength: CLIENTS,
  maxLength: CLIENTS,
});

/** Far longer than any server of a test is away. */
const INSIST_MS = 120_000;

/**
 * As a client that means it: what was cut off, or met a server that was away, is sent again under
 * the same key, until it is answered.
 */
export async function insist(work: () => Promise<Called>): Promise<Called> {
  const deadline = Date.now() + INSIST_MS;
  for (;;) {
    const answer = await work().catch((error: unknown) => {
      if (error instanceof TypeError && Date.now() < deadline) return null;
      throw error;
    });
    if (answer !== null && (answer.status !== 503 || Date.now() > deadline)) return answer;
    const seconds = Number(answer?.headers['retry-after'] ?? 0.1);
    await delay(Math.min(seconds, 0.5) * 1000);
  }
}

/** Lets all clients loose on one thread, and returns what they saw when all are done. */
export async function letLoose(
  world: Pick<GoalWorld, 'url'>,
  thread: { readonly threadId: string; readonly workspace: string },
  planned: readonly (readonly Step[])[],
): Promise<Sent[]> {
  const call = worldCaller(world);
  const known = new Map<string, number>();
  const sent: Sent[] = [];
  let requests = 0;

  const learn = ({ body }: Called) => {
    const goalId = body.goalId ?? body.actualGoalId;
    const revision = body.revision ?? body.actualRevision;
    if (typeof goalId !== 'string' || typeof revision !== 'number') return;
    known.set(goalId, Math.max(revision, known.get(goalId) ?? 0));
  };

  const look = async (): Promise<Goal | null> => {
    const answer = await insist(() => call(`GET /v1/threads/${thread.threadId}/goal`));
    if (answer.status !== 200) return null;
    learn(answer);
    return answer.body;
  };

  async function send(one: Step, goal: Goal | null): Promise<void> {
    requests += 1;
    const key = `${thread.threadId}-${requests}`;
    const { line, body } = requestOf(one, goal, thread, `${one.act} ${key}`);
    const before = new Map(known);
    const goalId = one.act === 'start' ? null : (goal?.goalId ?? null);
    const times = one.isDoubled ? 2 : 1;
    await Promise.all(
      Array.from({ length: times }, async () => {
        const answer = await insist(() => call(line, { body, key }));
        learn(answer);
        const { status, body: said } = answer;
        sent.push({
          act: one.act,
          goalId,
          body,
          known: before,
          key,
          answer: { status, body: said },
        });
      }),
    );
  }

  await Promise.all(
    planned.map(async (steps) => {
      for (const one of steps) {
        await delay(one.pauseMs);
        const goal = await look();
        if (goal !== null || one.act === 'start') await send(one, goal);
        else await send({ ...one, act: 'start' }, null);
      }
    }),
  );
  return sent;
}

function requestOf(
  { act, names, turns }: Step,
  goal: Goal | null,
  { threadId, workspace }: { threadId: string; workspace: string },
  text: string,
) {
  const named = revisionOf(names, goal);
  const expected = named === null ? {} : { expectedRevision: named };
  const line = (verb: string) => `POST /v1/goals/${goal?.goalId}/${verb}`;
  const start = { objective: `mix: ${text}`, criteria: [], workspace: { path: workspace } };
  switch (act) {
    case 'start':
      return { line: 'POST /v1/goals', body: { ...start, threadId } };
    case 'replace': {
      const slot = { expectedGoalId: goal?.goalId ?? null, replace: true, ...expected };
      return { line: `PUT /v1/threads/${threadId}/goal`, body: { ...start, ...slot } };
    }
    case 'amend':
      return patch(goal, { objective: `mix: ${text}`, ...expected });
    case 'budget':
      return patch(goal, { budget: { turns }, ...expected });
    case 'message':
      return { line: line('messages'), body: { text, ...expected } };
    case 'steer':
      return { line: line('messages'), body: { text, delivery: 'steer', ...expected } };
    case 'complete':
      return { line: line('complete'), body: { result: text, ...expected } };
    default:
      return { line: line(act), body: expected };
  }
}

const patch = (goal: Goal | null, body: Record<string, unknown>) => ({
  line: `PATCH /v1/goals/${goal?.goalId}`,
  body,
});

function revisionOf(names: Step['names'], goal: Goal | null): number | null {
  if (goal === null || names === 'none') return null;
  if (names === 'read') return goal.revision;
  return names === 'stale' ? Math.max(1, goal.revision - 1) : goal.revision + 50;
}
