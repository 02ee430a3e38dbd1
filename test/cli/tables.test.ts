import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import type { Inbox, InboxItem } from '../../schema/inbox.ts';
import type { ShownTodoList } from '../../schema/todo.ts';
import type { Call, Turn } from '../../schema/turn.ts';
import { type GateFacts, gateLines, holdsForPerson } from '../../src/cli/gate-text.ts';
import { inboxLines, type Standing, standingLines } from '../../src/cli/inbox-text.ts';
import { lookOf } from '../../src/cli/screen/look.ts';
import { shortIds } from '../../src/cli/screen/short-ids.ts';
import { paintIn } from '../../src/cli/terminal.ts';
import { columnsFor } from '../../src/cli/top/top-columns.ts';
import { afterTopKey, type Choice } from '../../src/cli/top/top-keys.ts';
import { keptInOrder, sorted, topLines } from '../../src/cli/top/top-view.ts';
import { failedOf, turnsLines } from '../../src/cli/turns-text.ts';
import { goalThat } from './told-goal.ts';

const now = Date.parse('2026-01-01T10:20:30.000Z');
const at = (secondsAgo: number) => new Date(now - secondsAgo * 1000).toISOString();

const goalOf = (goalId: string, change: Partial<Goal> = {}): Goal =>
  goalThat({ goalId, createdAt: at(9000), updatedAt: at(60), ...change });

const holding = (goalId: string): Goal =>
  goalOf(goalId, {
    activity: {
      ...goalThat({}).activity,
      state: 'waiting',
      on: 'approval',
      actor: 'You',
      reason: 'npm publish',
    },
  });

const item = (change: Partial<InboxItem>): InboxItem => ({
  ...{ itemId: 'a-1', goalId: 'g-7f3a9c0123456789', kind: 'tool', holds: true },
  ...{ title: 'npm uninstall express', since: at(240) },
  ...change,
});

const inboxOf = (...items: InboxItem[]): Inbox => ({ items, total: items.length, goals: [] });

const standingOf = (inbox: Inbox): Standing => ({
  inbox,
  counts: {
    total: 9,
    statuses: { active: 4, paused: 2, budget_limited: 0, complete: 3 },
    groups: { you: 2, agent: 3, waiting: 4, team: 1, complete: 3 },
  },
  ...{ spentUsd: 83.219, mostUsd: 150 },
});

describe('what waits for a person', () => {
  test('TERM-20 is told in a line each, with its age and the command that answers it', () => {
    const inbox = inboxOf(
      item({}),
      item({
        kind: 'question',
        title: 'Who owns it?',
        since: at(3600),
        goalId: 'g-c20b510123456789',
      }),
    );
    expect(inboxLines(inbox, now, lookOf(100))).toEqual([
      '2 items hold a goal.',
      expect.stringMatching(/^ {2}! g-7f3a9c0123456789 {2}npm uninstall express +4m$/),
      '      goalkeeper approve g-7f3a9c0123456789 a-1 [--deny --note WHY]',
      expect.stringMatching(/^ {2}! g-c20b510123456789 {2}Who owns it\? +1h 00m$/),
      '      goalkeeper answer g-c20b510123456789 TEXT',
    ]);
    expect(inboxLines(inboxOf(), now, lookOf(60))).toEqual(['Nothing waits for you.']);
  });

  test('TERM-21 stands in the status with how the other goals stand; what can wait is left out', () => {
    const inbox = inboxOf(item({}), item({ holds: false, title: 'a criterion' }));
    const lines = standingLines(standingOf(inbox), now, lookOf(100));
    expect(lines[0]).toMatch(/^1 goal holds for you +goalkeeper inbox$/);
    expect(lines.join('\n')).not.toContain('a criterion');
    expect(lines.at(-1)).toBe(
      '3 running   4 wait by themselves   1 with another operator   3 complete   $83.22 of 150 today',
    );
  });
});

describe('all goals at a glance', () => {
  const goals = [goalOf('g-a'), holding('g-b'), goalOf('g-c', { status: 'complete' })];
  const view = (order: readonly Goal[]) => ({
    ...{ standing: standingOf(inboxOf()), goals: order, now, chosen: null, note: '' },
    sort: 'who' as const,
  });

  test('TERM-22 who acts comes first, and what is over last', () => {
    expect(sorted(goals, 'who').map(({ goalId }) => goalId)).toEqual(['g-b', 'g-a', 'g-c']);
    const lines = topLines(view(sorted(goals, 'who')), lookOf(100));
    expect(lines[0]).toMatch(
      /^Goalkeeper {2}9 goals {2}2 need you {2}3 running {2}\$83\.22\/150 today/,
    );
    expect(lines[2]).toMatch(/^! You +g-b +npm publish/);
    expect(lines[3]).toMatch(/^▶ Agent +g-a +Fix it/);
  });

  test.each([60, 100, 160])(
    'TERM-106 at %i columns a goal at work tells the command that runs and how long it does, which no width cuts',
    (columns) => {
      const text = `npm run bench -- ${'--flag '.repeat(40)}`;
      const running = new Map([['g-a', { text, since: now - 38_000 }]]);
      const [row] = topLines({ ...view([goalOf('g-a')]), running }, lookOf(columns)).filter((one) =>
        one.includes('g-a'),
      );
      expect(row).toMatch(/^▶ Agent +g-a +npm run bench.*… {2}38 s /);
    },
  );

  test('TERM-86 what waits for a person is told as in the inbox, and a proof that holds has its own sign', () => {
    const paused = goalOf('g-d', {
      status: 'paused',
      activity: { ...goalThat({}).activity, state: 'waiting', actor: 'You', reason: 'x' },
      pause: { since: at(60), reason: 'unverified_claim', message: 'It needs more.', missing: [] },
    });
    const title = 'The proof needs docs/new.md, which is yours to keep';
    const inbox = inboxOf(
      item({ goalId: 'g-b', title: 'npm publish --tag next' }),
      item({ goalId: 'g-d', kind: 'basis', title }),
      item({ goalId: 'g-a', holds: false, title: 'a criterion' }),
    );
    const shown = { ...view([holding('g-b'), paused, goalOf('g-a')]), standing: standingOf(inbox) };
    for (const columns of [100, 160]) {
      const [, , asked, held, runs] = topLines(shown, lookOf(columns));
      expect(asked).toMatch(/^! You +g-b +npm publish --tag/);
      expect(held).toMatch(/^‖ You +g-d +The proof needs docs\/new\.md/);
      expect(runs).toMatch(/^▶ Agent +g-a +Fix it/);
    }
    const [, , narrow] = topLines(shown, lookOf(60));
    expect(narrow).toMatch(/^‖ You +g-d +The proof needs docs/);
  });

  test('TERM-23 no row is wider than the screen, at any width', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 200 });
    const width = fc.integer({ min: 60, max: 240 });
    fc.assert(
      fc.property(words, width, fc.boolean(), (objective, columns, isAscii) => {
        const shown = { ...view([goalOf('g-0123456789abcdef', { objective })]), chosen: null };
        for (const text of topLines(shown, lookOf(columns, paintIn(true), isAscii), 20))
          expect(stringWidth(text)).toBeLessThanOrEqual(columns);
      }),
      { examples: [['a – “b” … '.repeat(20), 61, true]] },
    );
  });

  test('TERM-88 columns stand by one order of priority, whole or not at all, and a wider screen loses none', () => {
    const budget = { turns: 60, tokens: 2000, activeSeconds: 900, costUsd: '18' };
    const usage = { turns: 41, tokens: 860, activeSeconds: 90, costUsd: '11.84' };
    const goal = goalOf('g-7f3a9c0123456789', {
      ...{ objective: 'Port\n\u001b[2Jcheckout 広い', model: 'anthropic/claude-opus' },
      budget: budget as unknown as Goal['budget'],
      usage: { ...goalThat({}).usage, ...usage } as unknown as Goal['usage'],
    });
    const drawn = (columns: number) => topLines(view([goal]), lookOf(columns));
    const [, narrow] = drawn(60);
    expect(narrow).toMatch(/^▶ Agent {4}g-7f3a9c {2}Port .\[2Jcheckout 広い +68%$/);
    expect(drawn(100)[1]).toMatch(/^ {2}WHO +GOAL +WHAT +PROVED NEAR +COST +LAST$/);
    expect(drawn(100)[2]).toMatch(/ 0\/0 turns {2}68% +11\.84 +1m$/);
    const [, heads, wide] = drawn(160);
    expect(heads).toMatch(/PROVED TURNS +USD +TOK +TIME +COST +LAST OBJECTIVE +WORKSPACE +MODEL$/);
    expect(wide).toMatch(/ ███░░ {2}68 ███░░ {2}66 ██░░░ {2}43 █░░░░ {2}10 +11\.84 +1m Port /);
    expect(wide).toMatch(/ shop +claude-opus$/);
    const standing = (columns: number) => columnsFor(columns).columns.map(({ name }) => name);
    let before: readonly string[] = [];
    for (let columns = 40; columns <= 240; columns += 1) {
      const now = standing(columns);
      const told = now.includes('bars') ? [...now, 'near', 'percent'] : [...now, 'percent'];
      expect(before.filter((name) => !told.includes(name))).toEqual([]);
      before = now;
    }
    const unlimited = goalOf('g-a', { objective: 'x' });
    expect(topLines(view([unlimited]), lookOf(160))[2]).not.toMatch(/[█░]/);
    expect(topLines(view([]), lookOf(160)).join('\n')).toContain('no goals');
  });

  test('TERM-89 ids are told by the shortest beginning that tells those of the table apart, and whole in files', () => {
    const ids = ['g-7f3a9c0123456789', 'g-7f3a9c0fff456789', 'g-b81f060123456789'];
    expect(ids.map(shortIds(ids))).toEqual(['g-7f3a9c01', 'g-7f3a9c0f', 'g-b81f0601']);
    expect(shortIds(ids.slice(1))('g-b81f060123456789')).toBe('g-b81f06');
    expect(shortIds([])('g-b81f060123456789')).toBe('g-b81f06');
    const many = fc.uniqueArray(fc.stringMatching(/^g-[0-9a-f]{16}$/), { minLength: 1 });
    fc.assert(fc.property(many, (all) => new Set(all.map(shortIds(all))).size === all.length));
    const rows = ids.map((goalId) => goalOf(goalId));
    const shown = (isFile: boolean) => topLines(view(rows), { ...lookOf(120), isFile }).join('\n');
    expect(shown(true)).toContain('g-7f3a9c0123456789');
    expect(shown(false)).toMatch(/g-7f3a9c01 /);
    const [, first] = inboxLines(
      inboxOf(item({}), item({ goalId: ids[1] ?? '' })),
      now,
      lookOf(60),
    );
    expect(first).toContain('g-7f3a9c01 ');
  });

  test('TERM-24 rows stay where they are until they are sorted; a new one comes last', () => {
    const order = ['g-c', 'g-a', 'g-b'];
    const more = [...goals, holding('g-d')];
    expect(keptInOrder(order, more, 'who').map(({ goalId }) => goalId)).toEqual([...order, 'g-d']);
  });

  test('TERM-25 keys choose a row, filter, sort and act', () => {
    const start: Choice = { chosen: 'a', sort: 'who', filter: '', typing: null };
    const press = (choice: Choice, key: string) => afterTopKey(choice, key, ['a', 'b']);
    expect(press(start, 'j').choice.chosen).toBe('b');
    expect(press(start, '\u001b[B').choice.chosen).toBe('b');
    expect(press(start, 'k').choice.chosen).toBe('a');
    expect(press(start, '\r').act).toBe('watch');
    expect(press(start, 'q').act).toBe('leave');
    expect(press(start, 's')).toMatchObject({ act: 'sort', choice: { sort: 'near' } });
    const typing = press(press(start, '/').choice, 'q');
    expect(typing).toMatchObject({ act: null, choice: { filter: 'q' } });
    expect(press(typing.choice, '\r').choice).toMatchObject({ filter: 'q', typing: null });
    expect(press(typing.choice, '\u001b').choice).toMatchObject({ filter: '', typing: null });
  });
});

describe('the gate in the terminal', () => {
  const criterion = (change: object) => ({
    ...{ criterionId: 'C1', state: 'unmet', baseline: 'unmet', origin: 'caller', receipts: [] },
    spec: { kind: 'command', command: 'npm test' },
    ...change,
  });
  const facts = (criteria: readonly object[], change: Partial<GateFacts> = {}): GateFacts =>
    ({
      gate: { turn: 3, missing: [], reasons: {}, changes: [], proof: null, criteria },
      goal: goalOf('g-a'),
      todos: { revision: 1, items: [] } as ShownTodoList,
      why: new Map(),
      ...change,
    }) as unknown as GateFacts;

  test('TERM-26 tells what is missing, why it failed and who can give it, before what is met', () => {
    const lines = gateLines(
      facts(
        [
          criterion({ criterionId: 'C2', state: 'met', receipts: [9] }),
          criterion({ receipts: [7], reason: 'exited 1' }),
        ],
        { why: new Map([['C1', ['✖ adds', 'expected 3']]]) },
      ),
      lookOf(100),
    );
    expect(lines).toEqual([
      expect.stringMatching(/^Not finishable yet: 1 of 2 lack evidence +asked last in turn 3$/),
      expect.stringMatching(/^ {2}✖ C1 {2}npm test +unmet #7 {2}\(baseline unmet\)$/),
      '        exited 1   → Agent',
      '            │ ✖ adds',
      '            │ expected 3',
      expect.stringMatching(/^ {2}≈ C2 {2}npm test +met #9 {2}\(baseline unmet\)$/),
      'A claim goes to the gate; then the proof run decides.',
    ]);
  });

  test('TERM-27 a goal that holds for a person is not green, and one that is verified is', () => {
    const colour = lookOf(100, paintIn(true));
    const held = facts([criterion({ state: 'met' })], { goal: holding('g-a') });
    expect(holdsForPerson(held.goal)).toBe(true);
    expect(gateLines(held, colour)[0]).toContain('‖ holds for a person: npm publish');
    expect(gateLines(held, colour).join('')).not.toContain('\u001b[32m');
    const goal = goalOf('g-a', {
      status: 'complete',
      completion: { verification: 'verified' } as NonNullable<Goal['completion']>,
    });
    const done = gateLines(facts([criterion({ state: 'met' })], { goal }), colour);
    expect(done[0]).toContain('\u001b[32m✔ verified');
  });
});

test('TERM-107 the refusal at which a goal stopped is told as one, with what is missing', () => {
  const turn = (action: string, missing: readonly string[]) =>
    ({
      ...{ turn: 3, kind: 'nudge', state: 'settled', startedAt: at(90), settledAt: at(60) },
      ...{ messages: [], compactions: [] },
      decision: {
        ...{ rule: 4, ruleName: 'claim', action, sentence: 'It waits', missing },
        usage: { costUsd: '0' },
      },
    }) as unknown as Turn;
  const headOf = (action: string, missing: readonly string[]) =>
    turnsLines([turn(action, missing)], [], lookOf(100)).find((text) => text.startsWith('   3'));
  expect(headOf('pause', ['c1'])).toContain('✖ Claim refused: c1');
  expect(headOf('pause', [])).not.toContain('✖');
});

test('TERM-28 turns are told by their deed and cost, with the calls that failed and why', () => {
  const call = {
    ...{ callId: 'c', turn: 2, tool: 'run_command', outcome: 'failed', settledSeq: 7 },
    receipt: { command: 'npm test', exitCode: 1 },
  } as unknown as Call;
  const meant = { ...call, receipt: { ...call.receipt, expectFailure: true } } as Call;
  expect(failedOf([call, meant])).toEqual([call]);
  const turn = (number: number, action: string) =>
    ({
      ...{ turn: number, kind: 'nudge', state: 'settled', startedAt: at(90), settledAt: at(60) },
      ...{ messages: [], compactions: [] },
      decision: {
        ...{ rule: 4, ruleName: 'claim', action, sentence: 'T1 lacks evidence', missing: ['T1'] },
        usage: { costUsd: String(number) },
      },
    }) as unknown as Turn;
  const lines = turnsLines(
    [turn(1, 'continue'), turn(2, 'refuse')],
    [{ call, why: ['✖ adds'] }],
    lookOf(100),
  );
  expect(lines[2]).toMatch(/^ {3}2 {2}\d\d:\d\d {2}✖ Claim refused: T1 +\$1\.00 +30 s$/);
  expect(lines[3]).toMatch(/^ {3}✖ run +npm test +exit 1 {2}#7$/);
  expect(lines[4]).toContain('│ ✖ adds');
  expect(lines[5]).toContain('rule 4 (completion claimed) → refuse: T1 lacks evidence');
});
