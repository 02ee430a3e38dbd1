import { describe, expect, test } from 'vitest';
import type { NotifyEvent } from '../../../schema/notify.ts';
import type { Policy } from '../../../schema/policy.ts';
import type { GoalEvent } from '../../../src/contract/goal-event.ts';
import type { TurnFacts } from '../../../src/contract/turn-facts.ts';
import { initialChart, step } from '../../../src/goal/chart/machine.ts';
import { initialCounters } from '../../../src/goal/decision/counters.ts';
import { defaultPolicy } from '../../../src/goal/defaults.ts';
import { shownUrl } from '../../../src/net/shown-url.ts';
import { notifyEventOf } from '../../../src/record/approvals/notify-event.ts';
import { makeFacts, settle } from '../turn-facts.ts';

const approval = (change: Partial<TurnFacts> = {}) =>
  makeFacts({
    end: 'approval',
    detail: 'run_command rm -rf src',
    approval: { callId: 't1.s1.0', rule: 'default: deletes' },
    ...change,
  });
const stuck = { ...initialCounters, turnsWithoutProgress: 10 };
const timed: Policy = { ...defaultPolicy, approvalTimeoutSeconds: 60, questionTimeoutSeconds: 60 };

describe('a turn that ends with a call to be approved', () => {
  test('C15 waits by rule 3, for as long as it takes', () => {
    const { rule, outcome, asks } = settle({ facts: approval() });
    expect(rule).toBe('ask');
    expect(outcome).toEqual({ action: 'wait', on: 'approval', seconds: null, next: 'wake' });
    expect(asks).toEqual([{ kind: 'tool' }]);
  });

  test('waits as long as the policy says, unless the goal gets nowhere', () => {
    const facts = approval();
    expect(settle({ facts, policy: timed }).outcome).toMatchObject({ seconds: 60 });
    const outcome = settle({ facts, policy: timed, counters: stuck }).outcome;
    expect(outcome).toMatchObject({ action: 'wait', seconds: null });
  });

  test('M20 gives way to an unread message, and asks nobody', () => {
    const { outcome, asks } = settle({ facts: approval({ unread: 1 }) });
    expect(outcome).toEqual({ action: 'continue', next: 'message' });
    expect(asks).toBeUndefined();
  });

  test('M20 goes on answering where it answered a message', () => {
    expect(settle({ facts: approval({ kind: 'message' }) }).outcome).toMatchObject({
      next: 'message',
    });
  });
});

describe('a question', () => {
  const question = (more: object = {}) =>
    makeFacts({ end: 'question', question: { questionId: '', callId: 't1.s1.0', ...more } });
  const secondsOf = (facts: TurnFacts, policy = timed, counters = initialCounters) => {
    const { outcome } = settle({ facts, policy, counters });
    return outcome.action === 'pause' ? (outcome.seconds ?? null) : 'no pause';
  };

  test('has a time where the goal gives one and there is a default', () => {
    expect(secondsOf(question({ hasDefault: true }))).toBe(60);
    expect(secondsOf(question({ hasDefault: true }), defaultPolicy)).toBeNull();
    expect(secondsOf(question())).toBeNull();
    expect(secondsOf(question(), { ...timed, questionDefault: 'Go on.' })).toBe(60);
  });

  test('may be given more time by its asker, never less', () => {
    expect(secondsOf(question({ hasDefault: true, timeoutSeconds: 90 }))).toBe(90);
    expect(secondsOf(question({ hasDefault: true, timeoutSeconds: 5 }))).toBe(60);
  });

  test('R41 waits for a person where the goal gets nowhere', () => {
    expect(secondsOf(question({ hasDefault: true }), timed, stuck)).toBeNull();
  });
});

describe('somebody outside hears', () => {
  const start = initialChart();
  const pause = (reason: string, more: object = {}): GoalEvent => ({
    type: 'turn.paused',
    pause: { reason, message: '', missing: [], since: '2026-01-01T00:00:00Z', ...more } as never,
  });
  const waits = {
    type: 'turn.waits',
    next: 'wake',
    wait: { on: 'approval', reason: '', since: '', until: null, approvalIds: ['a-1'] },
  } as const;
  const limit = { name: 'turns', used: '1', allowed: '1' } as const;
  const resumed = { type: 'goal.resumed', limit: null, next: 'resume' } as const;

  test.each<[string, GoalEvent, NotifyEvent | null]>([
    ['a question', pause('question', { questionId: 'q-1' }), 'question'],
    ['a blocker', pause('blocked'), 'blocked'],
    ['an unverified claim', pause('unverified_claim', { approvalId: 'a-1' }), 'approval'],
    ['a call to be approved', waits, 'approval'],
    ['no progress', pause('no_progress'), 'paused'],
    ['the end', { type: 'turn.completed' }, 'complete'],
    ['nothing of a limit before the wrap-up', { type: 'turn.limited', limit }, null],
    ['nothing of work that goes on', { type: 'turn.continued', next: 'nudge' }, null],
  ])('%s', (_, event, expected) => {
    expect(notifyEventOf(start, step(start, event))).toBe(expected);
  });

  test('a limit once its wrap-up is over', () => {
    const wrapping = step(start, { type: 'turn.limited', limit });
    const stopped = step(wrapping, { type: 'turn.limited', limit });
    expect(notifyEventOf(wrapping, stopped)).toBe('budget_limited');
  });

  test.each([
    ['paused', pause('blocked')],
    ['waits for an approval', waits],
    ['completed', { type: 'turn.completed' } as const],
  ])('nothing of a cleared goal that is %s', (_, event) => {
    const there = step(start, event);
    const archived = { ...there, context: { ...there.context, isArchived: true } };
    expect(notifyEventOf(start, there)).not.toBeNull();
    expect(notifyEventOf(start, archived)).toBeNull();
  });

  test('of a pause that follows another, also for the same reason or at the same moment', () => {
    const first = step(start, pause('blocked'));
    const later = step(step(first, resumed), pause('blocked', { since: '2026-01-01T00:00:01Z' }));
    const other = step(step(first, resumed), pause('no_progress'));
    expect(notifyEventOf(first, later)).toBe('blocked');
    expect(notifyEventOf(first, other)).toBe('paused');
  });

  test('once of each', () => {
    const complete = step(start, { type: 'turn.completed' });
    expect(notifyEventOf(complete, complete)).toBeNull();
    const waiting = step(start, waits);
    expect(notifyEventOf(waiting, waiting)).toBeNull();
    const paused = step(start, pause('blocked'));
    expect(notifyEventOf(paused, paused)).toBeNull();
  });
});

test('the query of a URL is not shown', () => {
  expect(shownUrl('https://example.com/a?key=x')).toBe('https://example.com/a?…');
  expect(shownUrl('https://example.com/a')).toBe('https://example.com/a');
});
