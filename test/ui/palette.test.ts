import { describe, expect, it } from 'vitest';
import type { Call, Goal, Inbox, Turn } from '../../src/ui/api/types.ts';
import { formOfGoal } from '../../src/ui/view/goal-form.ts';
import { noticePlaces } from '../../src/ui/view/notice-text.ts';
import {
  foundIn,
  foundInAll,
  goalActs,
  goalPlaces,
  matchesQuery,
  type PaletteEntry,
  pagesFor,
} from '../../src/ui/view/palette.ts';
import { readStartForm } from '../../src/ui/view/start-form.ts';

const AT = '2026-11-20T09:30:00';

const goal = (change: object = {}): Goal =>
  ({
    ...{ goalId: 'g-1', status: 'active', objective: 'Port it', mode: 'agent', revision: 3 },
    ...{ model: 'some/large', criteria: [], notify: [] },
    activity: { state: 'running', reason: 'turn: nudge', since: AT, actor: 'Agent' },
    budget: { tokens: 1000, costUsd: '4', turns: null, activeSeconds: 5400, deadline: null },
    usage: { costUsd: '1', turns: 2, own: { turns: 2 } },
    workspace: { name: 'shop', path: '/x', mode: 'shared' },
    policy: { completion: 'verified', onUnknown: 'ask', continuation: { refusalsInRow: 4 } },
    ...change,
  }) as unknown as Goal;

const waiting = (kind: string, title: string): Inbox =>
  ({
    items: [{ itemId: 'i-1', goalId: 'g-1', kind, holds: true, title, since: AT }],
    ...{ total: 1, goals: [] },
  }) as unknown as Inbox;

const roles = {
  viewer: { mayAct: false, mayPause: false, seesAll: true },
  agent: { mayAct: false, mayPause: true, seesAll: false },
  operator: { mayAct: true, mayPause: true, seesAll: true },
} as const;

const idsOf = (entries: readonly PaletteEntry[]) => entries.map(({ id }) => id);

describe('what the palette offers', () => {
  it('CON-62: has acts that the role may do, and no others', () => {
    const inbox = waiting('tool', 'Run rm -rf src');
    const ids = (role: keyof typeof roles) => idsOf(goalActs(goal(), inbox, roles[role]));
    const copied = 'copy:goalkeeper watch g-1';
    expect(ids('viewer')).toEqual([copied]);
    expect(ids('agent')).toEqual([
      ...['dialog:pause', 'dialog:message', 'copy-of', 'template', copied],
    ]);
    expect(ids('operator').slice(0, 3)).toEqual([
      ...['dialog:approve', 'dialog:pause', 'dialog:message'],
    ]);
    expect(ids('operator')).toEqual(expect.arrayContaining(['dialog:budget', 'dialog:clear']));
    const pages = pagesFor(roles.agent).map(({ words }) => words);
    expect(pages).toContain('Start a goal');
    expect(pages).not.toContain('Operations');
    expect(pagesFor(roles.viewer).map(({ words }) => words)).not.toContain('Settings: tokens');
  });

  it('CON-62: has acts that fit the state: no pause of what is over, no resume of what runs', () => {
    const ids = (change: object) => idsOf(goalActs(goal(change), undefined, roles.operator));
    expect(ids({ status: 'paused' })).toContain('dialog:resume');
    expect(ids({ status: 'paused' })).not.toContain('dialog:pause');
    const branch = { name: 'shop', path: '/x', mode: 'worktree', branch: 'goal/g-1' };
    const over = ids({ status: 'complete', workspace: branch });
    expect(over.filter((id) => id.startsWith('dialog:'))).toEqual(['dialog:apply', 'dialog:clear']);
    expect(over).toEqual(expect.arrayContaining(['copy-of', 'copy:goalkeeper pr g-1']));
    const gone = ids({ status: 'complete', archivedAt: AT });
    expect(gone.filter((id) => id.startsWith('dialog:'))).toEqual([]);
  });

  it('CON-62: answers what waits by its words, in the dialog or in the inbox', () => {
    const first = (inbox: Inbox) => goalActs(goal(), inbox, roles.operator)[0];
    expect(first(waiting('tool', 'Run rm -rf src'))).toMatchObject({
      words: 'Approve or decline: Run rm -rf src',
      deed: { kind: 'dialog', dialog: 'approve' },
    });
    const asked = first(waiting('question', 'Who owns it?'));
    expect(asked).toMatchObject({
      words: 'Question: Who owns it?',
      deed: { kind: 'go', path: '/inbox?item=i-1' },
    });
    expect(matchesQuery(asked as PaletteEntry, 'owns answer')).toBe(true);
    expect(matchesQuery(asked as PaletteEntry, 'owns pause')).toBe(false);
  });

  it('CON-62: leads to a turn by its number, and to what was found of a goal', () => {
    const paths = (query: string) =>
      goalPlaces(goal(), query).flatMap(({ deed }) => (deed.kind === 'go' ? [deed.path] : []));
    expect(paths('turn 12').slice(0, 2)).toEqual(['/goals/g-1?turn=12', '/goals/g-1/turns/12']);
    expect(paths('turn 0')[0]).toBe('/goals/g-1');
    const turn = {
      ...{ turn: 3, decision: null },
      messages: [{ text: 'First.' }, { text: `${'x '.repeat(60)}the Fastify port` }],
    } as unknown as Turn;
    const call = { tool: 'run_command', startedSeq: 7, settledSeq: 8, receipt: { command: 'ls' } };
    const found = foundIn(goal(), 'fastify', { turns: [turn], calls: [call as unknown as Call] });
    expect(found.map(({ words }) => words)).toEqual([
      expect.stringMatching(/^Turn 3: …[x ]+the Fastify port$/),
      '#8 run_command ls',
      '“fastify” in its whole ledger',
    ]);
    expect(found.at(-1)?.deed).toEqual({ kind: 'go', path: '/goals/g-1/ledger?q=fastify' });
  });
});

describe('a search over all goals', () => {
  const searched = { found: [], isLooking: false, hasMore: false, problem: null };
  const wordsOf = (change: object | null) =>
    foundInAll('409', change === null ? null : { ...searched, ...change }).map(
      ({ words }) => words,
    );

  it('CON-92: is begun by a person, tells where it is, and never that nothing is there before all was looked at', () => {
    expect(wordsOf(null)).toEqual(['Search “409” in turns, messages and ledgers']);
    expect(wordsOf({ isLooking: true, hasMore: true })).toEqual(['Looking…']);
    expect(wordsOf({ hasMore: true })).toEqual(['Nothing holds “409” so far: look further back']);
    expect(wordsOf({})).toEqual(['Nothing holds “409” in any goal']);
    expect(wordsOf({ problem: 'away', hasMore: true })).toEqual(['Try again: away']);
  });

  it('CON-92: leads to the turns and calls of the goals that it found, each named by its objective', () => {
    const one = {
      goal: goal({ objective: 'Port\nit' }),
      turns: [{ turn: 3, text: '…expected 409' }],
      calls: [{ seq: 7, tool: 'run_command', text: 'npm test' }],
    };
    const entries = foundInAll('409', { ...searched, found: [one], hasMore: true });
    expect(entries.map(({ words, within }) => [words, within])).toEqual([
      ['Turn 3: …expected 409', 'Port it'],
      ['#7 run_command npm test', 'Port it'],
      ['Look further back', undefined],
    ]);
    expect(entries.map(({ deed }) => deed)).toEqual([
      { kind: 'go', path: '/goals/g-1?turn=3' },
      { kind: 'go', path: '/goals/g-1/ledger?call=7' },
      { kind: 'search' },
    ]);
    expect(entries[0]?.goal?.goalId).toBe('g-1');
  });
});

describe('the terms of a goal', () => {
  const criteria = [
    { origin: 'caller', spec: { kind: 'command', command: 'npm test', attempts: 2 } },
    { origin: 'detected', spec: { kind: 'command', command: 'npm run lint' } },
  ];

  it('CON-63: are those of its copy, without what the host found by itself', () => {
    const scope = { change: ['src/**'], keep: [], setBy: 'caller', base: 'a1b2', baseName: 'main' };
    const { body, problems } = readStartForm(formOfGoal(goal({ criteria, scope })));
    expect(problems).toEqual({});
    expect(body).toMatchObject({
      ...{ objective: 'Port it', model: 'some/large', workspace: { name: 'shop' } },
      criteria: [{ kind: 'command', command: 'npm test', attempts: 2 }],
      budget: { tokens: 1000, costUsd: '4', turns: null, activeSeconds: 5400 },
      scope: { change: ['src/**'], base: 'main' },
      policy: { completion: 'verified', onUnknown: 'ask', continuation: { refusalsInRow: 4 } },
    });
    const inferred = formOfGoal(goal({ scope: { ...scope, setBy: 'host' } }));
    expect(readStartForm(inferred).body.scope).toBeUndefined();
  });
});

describe('where a goal is told of', () => {
  it('CON-68: is its own targets and those of the service, each with what came of the last word', () => {
    const delivery = (url: string, state: string, lastError: string | null = null) => ({
      ...{ url, state, lastError, attempts: 1, origin: 'service' },
    });
    const notices = [
      {
        type: 'goal.complete',
        createdAt: AT,
        deliveries: [delivery('https://a.example', 'given_up', '410')],
      },
      {
        type: 'goal.question',
        createdAt: AT,
        deliveries: [delivery('https://a.example', 'delivered'), delivery('mailto:', 'delivered')],
      },
    ];
    const places = noticePlaces(
      goal({
        notify: [{ url: 'https://a.example', events: ['complete'] }, { url: 'https://b.example' }],
      }),
      notices as never,
    );
    expect(places).toEqual([
      {
        ...{ url: 'https://a.example', events: 'complete', isBad: true },
        last: { words: 'complete given up (410)', at: AT },
      },
      { url: 'https://b.example', events: 'all', isBad: false, last: null },
      {
        ...{ url: 'mailto:', events: 'of the service', isBad: false },
        last: { words: 'question delivered', at: AT },
      },
    ]);
  });
});
