import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../schema/turn-outcome.ts';
import type { Goal, TurnOutline } from '../../src/ui/api/types.ts';
import { nextAct } from '../../src/ui/view/actor.ts';
import { verdictToShow } from '../../src/ui/view/chain-verdict.ts';
import {
  criteriaWords,
  evidenceOfCriterion,
  proofOf,
  worthOfMet,
} from '../../src/ui/view/evidence.ts';
import { ago, compact, dollars, duration } from '../../src/ui/view/format.ts';
import { arrange, groupOf, type ListLine, placesOf } from '../../src/ui/view/groups.ts';
import { rungsOf } from '../../src/ui/view/ladder.ts';
import { limitsOf, nearestLimit } from '../../src/ui/view/limits.ts';
import { curvesOf, firstToRunOut, runsOut } from '../../src/ui/view/projection.ts';
import { laneOf } from '../../src/ui/view/turn-tone.ts';
import { isSamePromise, promiseText } from '../../src/ui/view/version-text.ts';

const START = '2026-11-20T09:00:00.000Z';
const MINUTE = 60_000;
const minutesIn = (minutes: number) => new Date(Date.parse(START) + minutes * MINUTE).toISOString();

const noUse = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  tokens: 0,
  costUsd: '0',
  turns: 3,
  steps: 0,
  activeSeconds: 0,
};

function goal(change: Partial<Goal> = {}): Goal {
  return {
    goalId: 'g-1',
    status: 'active',
    activity: { state: 'running', reason: 'turn: nudge', since: START, actor: 'Agent' },
    criteria: [],
    todos: { revision: 0, total: 0, done: 0 },
    budget: { tokens: 1000, costUsd: '10', turns: 10, activeSeconds: 3600, deadline: null },
    usage: { ...noUse, own: noUse },
    createdAt: START,
    updatedAt: START,
    ...change,
  } as Goal;
}

const waits = (actor: Goal['activity']['actor'], reason: string): Goal['activity'] => ({
  state: 'waiting',
  reason,
  since: START,
  actor,
});

const paused = (
  reason: NonNullable<Goal['pause']>['reason'],
  message: string,
  missing: string[] = [],
) =>
  goal({
    status: 'paused',
    activity: { state: 'idle', reason: 'made no progress', since: START, actor: 'You' },
    pause: { reason, message, missing, since: START },
  });

describe('the chip of a goal', () => {
  it.each([
    [goal(), 'agent', 'turn 3, nudged on'],
    [paused('question', 'Who owns\n“queue lag”?'), 'you', 'answer: Who owns “queue lag”?'],
    [paused('no_progress', 'nothing new'), 'you', 'made no progress'],
    [paused('gate_exhausted', '', ['C1', 'T2']), 'you', 'claim refused, 2 things missing'],
    [goal({ activity: { ...waits('You', 'npm i'), on: 'approval' } }), 'you', 'approve: npm i'],
    [goal({ activity: waits('Provider', 'rate limited') }), 'provider', 'rate limited'],
    [goal({ status: 'complete' }), 'none', 'complete'],
    [goal({ archivedAt: START }), 'none', 'cleared'],
    [
      goal({
        status: 'budget_limited',
        activity: { state: 'idle', reason: 'tokens: used 12 of 10', since: START, actor: 'You' },
      }),
      'you',
      'tokens used up: raise or finish',
    ],
  ])('says who acts next and why (%#)', (one, kind, reason) => {
    expect(nextAct(one, true)).toMatchObject({ kind, reason });
  });

  it('says "you" only to whoever may act', () => {
    expect(nextAct(paused('blocked', 'no key'), false)).toEqual({
      kind: 'team',
      actor: 'Team',
      reason: 'blocked: no key',
    });
  });

  it('tells a goal that a person declared complete from a proved one', () => {
    const completion = {
      source: 'person' as const,
      verification: 'accepted_by_person' as const,
      result: '',
      changedFiles: [],
      receipts: [],
      at: START,
    };
    const byHand = goal({ status: 'complete', completion: { ...completion } });
    expect(nextAct(byHand, true).reason).toBe('completed by hand');
  });
});

describe('the list', () => {
  const mine = goal({ goalId: 'mine', activity: waits('You', '') });
  const done = goal({ goalId: 'done', status: 'complete' });
  const runs = goal({ goalId: 'runs' });

  const named = (lines: readonly ListLine[]) =>
    lines.map((line) =>
      line.kind === 'group' ? `${line.group} ${line.loaded}` : line.goal.goalId,
    );

  it('is grouped by who acts next, in the order that goals came in', () => {
    const lines = arrange([done, runs, mine], null);
    expect(named(lines)).toEqual(['you 1', 'mine', 'agent 1', 'runs', 'complete 1', 'done']);
    expect(groupOf(goal({ activity: waits('Clock', '') }))).toBe('waiting');
  });

  it('moves no row while it is held: what would push it waits, what follows comes', () => {
    const held = placesOf(arrange([runs, done], null));
    const moved = { ...runs, activity: waits('You', '') };
    const later = goal({ goalId: 'later', status: 'complete' });
    const lines = arrange([mine, moved, done, later], held);
    expect(named(lines)).toEqual(['agent 1', 'runs', 'complete 2', 'done', 'later']);
    expect(named(arrange([done], held))).toEqual(['complete 1', 'done']);
  });
});

describe('limits', () => {
  it('turn orange from 80 percent and red from 100', () => {
    const usage = { ...noUse, tokens: 800, costUsd: '10', turns: 7, own: noUse };
    const levels = limitsOf(goal({ usage })).map(({ level }) => level);
    expect(levels).toEqual(['near', 'reached', 'calm', 'calm']);
    expect(nearestLimit(goal({ usage }))).toMatchObject({ name: 'costUsd', percent: 100 });
  });

  it('that are absent have no percentage', () => {
    const budget = { tokens: null, costUsd: null, turns: 10, activeSeconds: null, deadline: null };
    expect(limitsOf(goal({ budget })).map(({ percent }) => percent)).toEqual([
      null,
      null,
      30,
      null,
    ]);
  });
});

describe('what is proved', () => {
  const criterion = (state: 'met' | 'unmet' | 'stale', receipts: number[] = []) => ({
    criterionId: 'C1',
    spec: { kind: 'command', command: 'npm test' } as const,
    state,
    baseline: 'unmet' as const,
    origin: 'caller' as const,
    receipts,
  });

  it('counts criteria and todo items alike, and tells failed from never tried', () => {
    const criteria = [
      criterion('met'),
      criterion('stale'),
      criterion('unmet', [7]),
      criterion('unmet'),
    ];
    const active = goal({ criteria, todos: { revision: 1, total: 3, done: 2 } });
    const proof = { proved: 2, here: 1, holds: 0, stale: 1, failed: 1, open: 2, total: 7 };
    expect(proofOf(active)).toEqual(proof);
    // A check that held is proved by the proof run alone, also where the criteria stand by themselves.
    expect(criteriaWords(active)).toBe('0 of 4 proved, 1 holds');
    expect(criteriaWords(goal({ criteria: [] }))).toBe('none');
    expect(criteria.map((one) => evidenceOfCriterion(active, one))).toEqual([
      'here',
      'stale',
      'failed',
      'open',
    ]);
  });
});

it('CON-74: a met criterion is green by a proof run alone, and never while a person decides', () => {
  const completion = {
    source: 'explicit' as const,
    changedFiles: [],
    receipts: [],
    result: '',
    at: '',
  };
  const approvals = { ...goal().activity, state: 'waiting', on: 'approval' } as const;
  const done = (verification: 'verified' | 'supported' | 'accepted_by_person') =>
    goal({ status: 'complete', completion: { ...completion, verification } });
  expect(worthOfMet(done('verified'))).toBe('proved');
  expect(worthOfMet(done('supported'))).toBe('here');
  expect(worthOfMet(done('accepted_by_person'))).toBe('here');
  expect(worthOfMet(goal())).toBe('here');
  expect(worthOfMet(goal({ activity: approvals }))).toBe('holds');
});

describe('the state of the chain', () => {
  const holds = (rows: number) => ({ holds: true, rows, sealedFrom: null });
  const breaks = (rows: number) => ({ ...holds(rows), holds: false, at: 3, problem: 'changed' });

  it('is what was checked whole, until there are more rows', () => {
    expect(verdictToShow(null, null)).toBeNull();
    expect(verdictToShow(holds(7), null)).toEqual(holds(7));
    expect(verdictToShow(null, holds(7))).toEqual(holds(7));
    const whole = holds(7);
    expect(verdictToShow(holds(7), whole)).toBe(whole);
    expect(verdictToShow(holds(9), whole)).toEqual(holds(9));
  });

  it('is broken where either of both says so', () => {
    expect(verdictToShow(breaks(2), holds(7))?.holds).toBe(false);
    expect(verdictToShow(holds(9), breaks(2))?.holds).toBe(false);
  });
});

describe('what somebody completes by hand', () => {
  const file = (spec: object, state = 'unmet') => ({ spec, state, receipts: [], origin: 'caller' });
  const promised = (objective: string, ...criteria: object[]) =>
    goal({ objective, criteria: criteria as unknown as Goal['criteria'] });
  const before = promised('ship it', file({ kind: 'file', path: 'a.md' }));

  it('is the same while only the evidence moves, in whatever order its fields come', () => {
    const now = promised('ship it', file({ path: 'a.md', kind: 'file' }, 'met'));
    expect(isSamePromise(before, now)).toBe(true);
  });

  it('is another one once its words or its criteria were changed, and says what they are now', () => {
    const reworded = promised('ship both', file({ kind: 'file', path: 'a.md' }));
    expect(isSamePromise(before, reworded)).toBe(false);
    expect(promiseText(before, reworded)).toBe('Objective: ship both');
    const narrowed = promised('ship it', file({ kind: 'file', path: 'b.md' }));
    expect(isSamePromise(before, narrowed)).toBe(false);
    expect(promiseText(before, narrowed)).toBe('Criteria: b.md (exists)');
    expect(isSamePromise(before, { ...before, status: 'paused' })).toBe(false);
  });
});

describe('projections', () => {
  const now = Date.parse(minutesIn(60));

  it('go on at the rate of the last two hours', () => {
    const points = [
      { at: Date.parse(START), percent: 0 },
      { at: now, percent: 50 },
    ];
    expect(runsOut(points, now)).toBe(Date.parse(minutesIn(120)));
    expect(runsOut([{ at: now, percent: 10 }], now)).toBeNull();
  });

  it('name the limit that ends first, and none while a person is waited for', () => {
    const usage = { ...noUse, tokens: 500, costUsd: '2', turns: 1, own: noUse };
    const running = goal({ usage });
    const curves = curvesOf(running, [], now);
    expect(firstToRunOut(running, curves, now)).toEqual({
      name: 'tokens',
      at: Date.parse(minutesIn(120)),
    });
    const held = goal({ usage, activity: waits('You', '') });
    expect(firstToRunOut(held, curvesOf(held, [], now), now)).toBeNull();
  });
});

describe('the map of turns', () => {
  const turn = (number: number, change: Partial<TurnOutline> = {}): TurnOutline => ({
    turn: number,
    kind: 'nudge',
    state: 'settled',
    startedAt: minutesIn(number * 10),
    settledAt: minutesIn(number * 10 + 5),
    rule: 11,
    action: 'nudge',
    missing: [],
    tokens: 10,
    costUsd: '0.1',
    ...change,
  });

  it('colours turns by what they came to', () => {
    expect(outcomeOf(turn(1, { action: 'refuse', rule: 4 }))).toBe('refused');
    expect(outcomeOf(turn(1, { action: 'pause', rule: 2 }))).toBe('error');
    expect(outcomeOf(turn(1, { state: 'open', action: null, rule: null }))).toBe('work');
  });

  it('shows sleep between turns, and who is waited for now', () => {
    const turns = [turn(2), turn(1, { action: 'wait', rule: 7 })];
    const now = Date.parse(minutesIn(40));
    const lane = laneOf(turns, now, { tone: 'approval', since: minutesIn(26) });
    expect(lane.map(({ tone, from, to }) => [tone, (to - from) / MINUTE])).toEqual([
      ['work', 5],
      ['wait', 5],
      ['nudge', 5],
      ['approval', 14],
    ]);
  });
});

describe('formats', () => {
  it('are short, and never show something as nothing', () => {
    expect([compact(1_310_000), compact(24_000), compact(812)]).toEqual(['1.31M', '24k', '812']);
    expect([dollars('0.0031'), dollars('11.84'), dollars(0)]).toEqual([
      '$0.0031',
      '$11.84',
      '$0.00',
    ]);
    expect([duration(0.2), duration(73), duration(17_580)]).toEqual(['200 ms', '1m 13s', '4h 53m']);
    expect(ago(START, Date.parse(minutesIn(64)))).toBe('1h 04m');
  });
});

it('the ladder says of each rule whether it was asked', () => {
  expect(
    rungsOf(4)
      .map(({ verdict }) => verdict)
      .slice(2, 6),
  ).toEqual(['no', 'decided', 'not reached', 'not reached']);
});
