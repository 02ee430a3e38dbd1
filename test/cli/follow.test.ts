import { describe, expect, it, test, vi } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import type { Problem } from '../../schema/problem.ts';
import { ApiProblem, ServiceAway } from '../../src/cli/client.ts';
import { followGoal, isAtRest } from '../../src/cli/follow.ts';
import {
  CAUGHT_UP,
  GOAL_ID,
  goalThat,
  rested,
  type Stream,
  told,
  toldClient,
} from './told-goal.ts';

const problem = (status: number) =>
  new ApiProblem({ status, code: 'not_found', detail: `it answered ${status}` } as Problem);
const away = new ServiceAway('http://127.0.0.1:1', new Error('refused'));

async function follow(
  streams: readonly Stream[],
  goals: readonly Goal[] = [rested()],
  signal = new AbortController().signal,
) {
  const { client, opened } = toldClient(streams, goals);
  const seqs: number[] = [];
  const caughtUp: Goal[] = [];
  const onAway = vi.fn();
  const goal = await followGoal(client, {
    goalId: GOAL_ID,
    signal,
    onEvent: ({ seq }) => void seqs.push(seq),
    onCaughtUp: (one) => void caughtUp.push(one),
    onAway,
  }).catch((error: unknown) => error);
  return { goal, seqs, caughtUp, opened, away: onAway.mock.calls.length };
}

const from = (seq: number) => `/v1/goals/${GOAL_ID}/events?after=${seq}`;

describe('following a goal', () => {
  it('reads its events from the beginning and ends with the goal at rest', async () => {
    const stream = [told(1, 'goal.started'), told(2, 'turn.opened') + told(3, 'x'), CAUGHT_UP];
    const { goal, seqs, opened, caughtUp } = await follow([stream]);
    expect([goal, seqs, opened, caughtUp]).toEqual([rested(), [1, 2, 3], [from(0)], []]);
  });

  it('looks at the goal only where the stream says that nothing more is to be read', async () => {
    const running = goalThat({});
    const stream = [told(1, 'x'), CAUGHT_UP, told(2, 'y'), ': heartbeat\n\n'];
    const { goal, seqs, caughtUp } = await follow([stream], [running, rested()]);
    expect([goal, seqs, caughtUp]).toEqual([rested(), [1, 2], [running]]);
  });

  it('shows events that came together with the word that it has caught up', async () => {
    const { seqs } = await follow([[told(1, 'x') + CAUGHT_UP + told(2, 'y')]]);
    expect(seqs).toEqual([1, 2]);
  });

  it('comes back where a connection ended or broke, without losing or repeating an event', async () => {
    const { goal, seqs, opened, away } = await follow([
      [told(1, 'x'), told(2, 'x')],
      [told(3, 'x'), 'breaks'],
      [told(4, 'x'), CAUGHT_UP],
    ]);
    expect([goal, seqs, opened]).toEqual([rested(), [1, 2, 3, 4], [from(0), from(2), from(3)]]);
    expect(away).toBe(1);
  });

  it.each([
    ['nothing answers', away],
    ['it answers 503', problem(503)],
  ])('waits while %s, and says once that it is away', async (_, error) => {
    const { goal, seqs, away } = await follow([error, error, [told(1, 'x'), CAUGHT_UP]]);
    expect([goal, seqs, away]).toEqual([rested(), [1], 1]);
  });

  it('gives up at once on what waiting does not mend', async () => {
    const { goal, opened, away } = await follow([problem(404)]);
    expect([goal, opened, away]).toEqual([problem(404), [from(0)], 0]);
  });

  it('gives up on a service that stays away, however often it looked', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(1000);
    clock.mockReturnValue(120_001);
    try {
      const { goal, opened } = await follow([away, away, [CAUGHT_UP]]);
      expect([goal, opened]).toEqual([away, [from(0), from(0)]]);
    } finally {
      clock.mockRestore();
    }
  });

  it('takes what is told and not kept for no event, and for no place to come back to', async () => {
    const { seqs, opened } = await follow([
      [told(1, 'x'), told(null, 'model.text'), told(null, 'command.output'), 'breaks'],
      [CAUGHT_UP],
    ]);
    expect([seqs, opened]).toEqual([[1], [from(0), from(1)]]);
  });

  it('understands an event that arrives in pieces, cut within a letter', async () => {
    const bytes = new TextEncoder().encode(told(1, 'x', { text: 'Größe' }));
    const cut = bytes.indexOf(0xc3) + 1;
    const { client } = toldClient(
      [[bytes.slice(0, 5), bytes.slice(5, cut), bytes.slice(cut), CAUGHT_UP]],
      [rested()],
    );
    const onEvent = vi.fn();
    const ignored = { onCaughtUp: () => {}, onAway: () => {} };
    const { signal } = new AbortController();
    await followGoal(client, { goalId: GOAL_ID, signal, onEvent, ...ignored });
    expect(onEvent).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ data: { text: 'Größe' } }),
    );
  });

  it.each([
    ['while it reads', [[told(1, 'x'), 'stays open']]],
    ['while it waits for the service', [away]],
  ] as const)('ends at once when it is told to, %s', async (_, streams) => {
    const leaving = new AbortController();
    const following = follow(streams, [goalThat({})], leaving.signal);
    setTimeout(() => leaving.abort(), 20);
    const { goal } = await following;
    expect(goal).toMatchObject({ name: 'AbortError' });
  });
});

const idle = { ...goalThat({}).activity, state: 'idle' } as const;

it.each([
  ['an active goal between two turns', { activity: idle }, false],
  ['a paused goal whose command still ends', { status: 'paused' }, false],
  ['a paused goal', { status: 'paused', activity: idle }, true],
  ['a complete goal', { status: 'complete', activity: idle }, true],
  ['a goal that was cleared in the middle', { archivedAt: 'now' }, true],
] as const)('%s rests: %o → %s', (_, change, expected) => {
  expect(isAtRest(goalThat(change))).toBe(expected);
});

test('TERM-55 a goal that rests is followed on where its dispute can be answered, until it rests otherwise', async () => {
  const disputed = rested({ status: 'paused' });
  const { client } = toldClient([[CAUGHT_UP], [CAUGHT_UP]], [disputed, rested()]);
  const known: Goal[] = [];
  const goal = await followGoal(client, {
    ...{ goalId: GOAL_ID, signal: new AbortController().signal, onEvent: () => {} },
    ...{ onAway: () => {}, onCaughtUp: (one: Goal) => void known.push(one) },
    staysFor: ({ status }) => status === 'paused',
  });
  expect([known.length, goal.status]).toEqual([1, 'complete']);
});
