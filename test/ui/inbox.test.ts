import { describe, expect, it } from 'vitest';
import type { Goal, InboxItem } from '../../src/ui/api/types.ts';
import { nextAct } from '../../src/ui/view/actor.ts';
import {
  arrivedIn,
  type Entry,
  entriesOf,
  nextAfter,
  stepFrom,
  withKept,
} from '../../src/ui/view/inbox-list.ts';
import { decidedText, halfMore, waitingCost } from '../../src/ui/view/inbox-text.ts';
import { liveHead } from '../../src/ui/view/live-head.ts';

const AT = '2026-11-20T09:30:00';

const used = { tokens: 1_180_000, costUsd: '4.10', turns: 9, steps: 0, activeSeconds: 3700 };

const goal = (change: object = {}): Goal =>
  ({
    goalId: 'g-1',
    status: 'active',
    activity: { state: 'waiting', on: 'approval', reason: '', since: AT, actor: 'You' },
    budget: { tokens: 1_000_000, costUsd: '4', turns: 8, activeSeconds: 3600, deadline: null },
    usage: { ...used, own: { ...used, turns: 4 } },
    ...change,
  }) as Goal;

const item = (itemId: string, change: Partial<InboxItem> = {}): InboxItem => ({
  ...{ itemId, goalId: 'g-1', kind: 'tool', holds: true, title: itemId, since: AT },
  ...change,
});

const entry = (itemId: string): Entry => ({ item: item(itemId), goal: goal(), isGone: false });
const idsOf = (entries: readonly Entry[]) =>
  entries.map(({ item: { itemId }, isGone }) => (isGone ? `${itemId} gone` : itemId));

describe('the queue of the inbox', () => {
  const all = [entry('a'), entry('b'), entry('c')];

  it('CON-43: goes on to the next one after an answer, at the end to the one before, and stops at its ends', () => {
    expect([nextAfter(all, 'a'), nextAfter(all, 'c'), nextAfter([entry('a')], 'a')]).toEqual([
      ...['b', 'b', null],
    ]);
    expect([stepFrom(all, 'a', -1), stepFrom(all, 'a', 1), stepFrom(all, 'c', 1)]).toEqual([
      ...['a', 'b', 'c'],
    ]);
    expect(stepFrom([], null, 1)).toBeNull();
  });

  it('CON-43: keeps what is looked at in its place once somebody else has answered it', () => {
    const left = [entry('a'), entry('c')];
    const seen = { entry: entry('b'), index: 1 };
    expect(idsOf(withKept(left, seen))).toEqual(['a', 'b gone', 'c']);
    expect(idsOf(withKept([], seen))).toEqual(['b gone']);
    expect(withKept(all, seen)).toBe(all);
    expect(withKept(left, null)).toBe(left);
  });

  it('CON-43: has no item without its goal, and tells what is new but nothing at the first look', () => {
    const items = [item('a'), item('x', { goalId: 'g-2' })];
    expect(idsOf(entriesOf({ items, goals: [goal()] }))).toEqual(['a']);
    expect(arrivedIn(null, items)).toEqual([]);
    expect(arrivedIn([item('x')], items).map(({ itemId }) => itemId)).toEqual(['a']);
  });
});

describe('what waiting costs', () => {
  it('CON-43: is told by whether it holds, by when a default or a denial holds, and by who waits with it', () => {
    const until = goal({ activity: { ...goal().activity, until: AT } });
    expect(waitingCost(item('a'), goal())).toBe('Holds the goal: nothing of it runs meanwhile.');
    expect(waitingCost(item('a'), until)).toContain('by 09:30 it counts as declined');
    expect(waitingCost(item('a', { kind: 'question' }), until)).toContain(
      'default answer holds from 09:30',
    );
    // biome-ignore lint/suspicious/noThenProperty: a list is no thenable
    const parent = goal({ parentGoalId: 'g-0', then: [{ objective: 'x' }] });
    expect(waitingCost(item('a'), parent)).toMatch(/gave it the work waits.*1 goal begin/);
    expect(waitingCost(item('a', { kind: 'criterion', holds: false }), goal())).toMatch(
      /^Does not hold/,
    );
    expect(waitingCost(item('a', { kind: 'pause', holds: false }), goal())).toMatch(/paused it/);
  });

  it('CON-43: half as much again is offered of the limit that was reached, and never less than is used', () => {
    const reached = (reason: string) =>
      halfMore(goal({ activity: { ...goal().activity, reason } }))?.budget;
    expect(reached('tokens: used 1 of 1')).toEqual({ tokens: 1_770_000 });
    expect(reached('turns: used 9 of 8')).toEqual({ turns: 14 });
    expect(reached('activeSeconds: used 1 of 1')).toEqual({ activeSeconds: 5580 });
    expect(reached('costUsd: used 1 of 1')).toEqual({ costUsd: '6.15' });
    expect(reached('deadline: passed')).toBeUndefined();
  });

  it('CON-43: a decision tells who, when and why', () => {
    const decided = { decidedBy: 'ann', decidedAt: AT, note: 'Keep it.' } as const;
    expect(decidedText({ ...decided, state: 'denied' })).toBe(
      'Declined by ann at 09:30: “Keep it.”.',
    );
    const nobody = { decidedBy: null, decidedAt: null, note: null } as const;
    expect(decidedText({ ...nobody, state: 'superseded' })).toBe(
      'The goal went on before anybody decided.',
    );
  });
});

describe('who acts next', () => {
  it('CON-44: a running turn has the goal’s own number, whatever its delegates did', () => {
    const running = { state: 'running', reason: 'turn: nudge', since: AT, actor: 'Agent' };
    expect(nextAct(goal({ activity: running }), true).reason).toBe('turn 4, nudged on');
  });

  it('CON-44: a provider that is waited for is told with its next try, and its reason once', () => {
    const activity = {
      ...{ state: 'waiting', on: 'provider', reason: 'rate_limit: Slow down', since: AT },
      ...{ until: '2026-11-20T09:31:07', actor: 'Provider' },
    };
    const waiting = goal({ activity });
    expect(nextAct(waiting, true).reason).toBe('rate_limit: Slow down, next try at 09:31:07');
    const seen = { turn: null, calls: [], said: null, printedAt: null };
    expect(liveHead(waiting, seen, true, 0).words).toBe(
      'waits for the provider, next try at 09:31:07',
    );
  });
});
