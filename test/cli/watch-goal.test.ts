import { describe, expect, it } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import type { Problem } from '../../schema/problem.ts';
import { ApiProblem } from '../../src/cli/client.ts';
import { EXIT } from '../../src/cli/exit-code.ts';
import { plain } from '../../src/cli/terminal.ts';
import { watchGoal } from '../../src/cli/watch-goal.ts';
import {
  CAUGHT_UP,
  GOAL_ID,
  goalThat,
  rested,
  type Stream,
  told,
  toldClient,
} from './told-goal.ts';

const opened = told(1, 'turn.opened', { turn: 1, kind: 'start' });

async function watch(
  goals: readonly Goal[],
  options: {
    streams?: readonly Stream[];
    isJson?: boolean;
    showsEventsAsJson?: boolean;
    onErr?: (text: string) => void;
  } = {},
) {
  const { streams = [[opened, ...goals.map(() => CAUGHT_UP)]], isJson = false, ...rest } = options;
  const out: string[] = [];
  const err: string[] = [];
  const terminal = {
    out: (text: string) => void out.push(text),
    err: (text: string) => {
      err.push(text);
      rest.onErr?.(text);
    },
    paint: plain,
    isInteractive: false,
  };
  const session = { client: toldClient(streams, goals).client, terminal, isJson };
  const exit = await watchGoal(session, GOAL_ID, rest);
  return { exit, out, err };
}

const waiting = (activity: Partial<Goal['activity']>): Goal =>
  goalThat({ activity: { ...goalThat({}).activity, state: 'waiting', ...activity } });

const amend = `goalkeeper amend ${GOAL_ID}`;

function limited(reason: string) {
  return {
    status: 'budget_limited',
    activity: { ...goalThat({}).activity, state: 'idle', reason },
  };
}

describe('watching a goal', () => {
  it.each([
    ['complete', EXIT.complete],
    ['paused', EXIT.incomplete],
    ['budget_limited', EXIT.budgetLimited],
  ] as const)(
    'shows progress beside the goal, and ends with what %s means',
    async (status, exit) => {
      const seen = await watch([rested({ status })]);
      expect(seen.exit).toBe(exit);
      expect(seen.err[0]).toBe(`10:20:30Z ${GOAL_ID} 1 turn   start`);
      expect(seen.out.join()).toMatch(new RegExp(`^goal +${GOAL_ID}[^]*state +${status}`));
    },
  );

  it('tells events and the goal as JSON where that is asked for, and nothing between', async () => {
    const { out, err } = await watch([rested()], { isJson: true, showsEventsAsJson: true });
    expect(out.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ seq: 1, type: 'turn.opened' }),
      rested(),
    ]);
    expect(err).toEqual([]);
  });

  it('tells once, each time that somebody is waited for, who it is and by which command', async () => {
    const approval = waiting({ actor: 'You', on: 'approval', reason: 'npm publish', since: '1' });
    const question = waiting({ actor: 'You', on: 'condition', reason: 'a question', since: '2' });
    const worker = waiting({ actor: 'Worker', on: 'worker', reason: 'no worker', since: '3' });
    const clock = waiting({ actor: 'Clock', on: 'timer', reason: 'a wait', since: '4' });
    const { err } = await watch([approval, approval, question, clock, worker, worker, rested()]);
    expect(err.slice(1)).toEqual([
      `npm publish: goalkeeper approvals ${GOAL_ID}`,
      `a question: goalkeeper show ${GOAL_ID}`,
      'no worker: goalkeeper worker',
    ]);
  });

  it.each([
    [{ status: 'complete' }, []],
    [{ pause: { questionId: 'q-1' } }, [`answer it: goalkeeper answer ${GOAL_ID} TEXT`]],
    [
      { pause: { approvalId: 'a-1' } },
      [`decide: goalkeeper approve ${GOAL_ID}, or goalkeeper approve ${GOAL_ID} --deny --note WHY`],
    ],
    [{ pause: { reason: 'person' } }, [`go on: goalkeeper resume ${GOAL_ID}`]],
    [limited('tokens: 10 of 10'), [`raise the limit: ${amend} --budget-tokens N`]],
    [limited('turns: 2 of 2'), [`raise the limit: ${amend} --budget-turns N`]],
    [limited('activeSeconds: 1 of 1'), [`raise the limit: ${amend} --budget-seconds N`]],
    [limited('costUsd: 1 of 1'), [`raise the limit: ${amend} --budget-cost USD`]],
    [limited('something new'), [`raise the limit: ${amend} --budget-…`]],
  ])('says what comes next after %o', async (change, next) => {
    const pause = 'pause' in change ? { missing: [], message: '', ...change.pause } : undefined;
    const goal = { status: 'paused', ...change, ...(pause === undefined ? {} : { pause }) };
    const { err } = await watch([rested(goal as unknown as Partial<Goal>)]);
    expect(err.slice(1)).toEqual(next);
  });

  it('says that the service is away, and goes on when it is back', async () => {
    const { exit, err } = await watch([rested()], {
      streams: [
        [opened, 'breaks'],
        [told(2, 'turn.opened', { turn: 2, kind: 'nudge' }), CAUGHT_UP],
      ],
    });
    expect([exit, err]).toEqual([
      EXIT.complete,
      [
        `10:20:30Z ${GOAL_ID} 1 turn   start`,
        'the service is away; waiting for it',
        `10:20:30Z ${GOAL_ID} 2 turn   nudge`,
      ],
    ]);
  });

  it('an interrupt ends the watching, not the goal, and is listened to no longer', async () => {
    const before = process.listenerCount('SIGINT');
    const { exit, out, err } = await watch([goalThat({})], {
      streams: [[opened, 'stays open']],
      onErr: (text) => text.includes('1 turn') && process.emit('SIGINT'),
    });
    expect([exit, out]).toEqual([EXIT.interrupted, []]);
    expect(err.at(-1)).toBe(
      `the goal goes on; "goalkeeper watch ${GOAL_ID}" comes back,\n"goalkeeper pause ${GOAL_ID}" stops it`,
    );
    expect(process.listenerCount('SIGINT')).toBe(before);
  });

  it('passes on why it could not watch, and listens to interrupts no longer', async () => {
    const before = process.listenerCount('SIGINT');
    const unknown = new ApiProblem({ status: 404, detail: 'There is none.' } as Problem);
    await expect(watch([], { streams: [unknown] })).rejects.toBe(unknown);
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});
