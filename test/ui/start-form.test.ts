import { expect, it } from 'vitest';
import type { Goal } from '../../src/ui/api/types.ts';
import { rowOf, rowProblems, shownFields, toCriterion } from '../../src/ui/view/criterion-form.ts';
import { backlogText, byMidnight, spendBars } from '../../src/ui/view/operations.ts';
import { ownTree } from '../../src/ui/view/own-tree.ts';
import { emptyPolicy, policyOf } from '../../src/ui/view/policy-form.ts';
import { cliTwin, emptyForm, problemAt, readStartForm } from '../../src/ui/view/start-form.ts';

const specs = [
  { kind: 'command', command: 'npm test' },
  { kind: 'command', command: 'npm test', check: 'clean', setup: 'npm ci', expectExit: 1 },
  { kind: 'command', command: 'make', check: 'receipt', scope: ['src/**', 'a'] },
  { kind: 'file', path: 'a.md', exists: false },
  { kind: 'file', path: 'a.md', matches: '^a' },
  { kind: 'file', path: 'a.md', protect: true },
  { kind: 'git', branch: 'main', allowedPaths: ['src/**'], clean: false },
  { kind: 'diagnostics', paths: ['src'] },
  { kind: 'review', rubric: 'Is it kind?', model: 'openai/a' },
  { kind: 'approval', question: 'Ship it?', name: 'shipping' },
] as const;

it.each(specs)('a criterion that is edited and left alone stays what it was: %o', (spec) => {
  const mutable = structuredClone(spec) as unknown as Parameters<typeof rowOf>[0];
  const row = rowOf(mutable);
  expect(rowProblems(row)).toEqual({});
  expect(toCriterion(row)).toEqual(spec);
});

it('an option that has no meaning for the chosen way of checking is neither shown nor sent', () => {
  const row = { ...rowOf({ kind: 'command', command: 'a', check: 'clean', setup: 'b' }) };
  const rerun = { ...row, values: { ...row.values, check: 'rerun' } };
  expect(shownFields(rerun).map(({ name }) => name)).not.toContain('setup');
  expect(toCriterion(rerun)).toEqual({ kind: 'command', command: 'a' });
});

it('empty budgets take the default, none lifts a limit, and what is no number is named by its field', () => {
  const form = { ...emptyForm(), objective: 'x', workspace: 'shop', tokens: 'None', hours: '1.5' };
  expect(readStartForm(form)).toMatchObject({
    body: { budget: { tokens: null, activeSeconds: 5400 }, workspace: { name: 'shop' } },
    problems: {},
  });
  const bad = { ...form, turns: '1.5', criteria: [rowOf({ kind: 'file', path: '/etc/x' })] };
  const { problems } = readStartForm(bad);
  expect(Object.keys(problems).sort()).toEqual(['budget.turns', 'criteria.0.path']);
  expect(problemAt({ 'criteria.0.allowedPaths.2': 'no' }, 'criteria.0.allowedPaths')).toBe('no');
});

it('SCP-33 scope, base, requirements and their coverage are sent as they are written, one a line, and on the command line', () => {
  const form = {
    ...emptyForm(),
    objective: 'x',
    workspace: 'shop',
    change: ' src/** \n\ndocs/a b.md',
    keep: 'src/vendor/**',
    base: ' merge-base:main ',
    requirements: 'It is fast\nIt is right',
    policy: { ...emptyPolicy, coverage: 'all' as const },
  };
  const { body, problems } = readStartForm(form);
  expect(problems).toEqual({});
  expect(body).toMatchObject({
    scope: {
      change: ['src/**', 'docs/a b.md'],
      keep: ['src/vendor/**'],
      base: 'merge-base:main',
    },
    requirements: [{ text: 'It is fast' }, { text: 'It is right' }],
    policy: { coverage: 'all' },
  });
  for (const words of ["--change 'docs/a b.md'", '--base merge-base:main', '--cover-all']) {
    expect(cliTwin(form)).toContain(words);
  }
  expect(readStartForm({ ...form, change: '' }).problems).toHaveProperty(['scope.keep']);
  expect(readStartForm(emptyForm()).body).not.toHaveProperty('scope');
});

it('without criteria the project’s checks are found, or a person judges', () => {
  const none = { ...emptyForm(), criteria: [] };
  expect(readStartForm(none).body).not.toHaveProperty('criteria');
  const judged = { ...none, whenNone: 'judge' as const };
  expect(readStartForm(judged).body.criteria).toEqual([]);
  expect(cliTwin(judged)).toContain('--judge-myself');
});

it('a worktree of its own is asked for by name or path, also on the command line', () => {
  const form = { ...emptyForm(), objective: 'x', workspace: 'shop' };
  expect(readStartForm(form).body.workspace).toEqual({ name: 'shop' });
  expect(cliTwin(form)).not.toContain('--worktree');
  const own = { ...form, tree: 'worktree' as const };
  expect(readStartForm(own).body.workspace).toEqual({ name: 'shop', mode: 'worktree' });
  const there = { ...own, workspace: '/srv/shop' };
  expect(readStartForm(there).body.workspace).toEqual({ path: '/srv/shop', mode: 'worktree' });
  expect(cliTwin(there)).toContain('--worktree');
  expect(cliTwin({ ...form, mode: 'plan' })).toContain('--mode plan');
});

it('a goal with a worktree says its branch and how one gets at the result', () => {
  const goalOf = (workspace: object, more: object = {}) =>
    ({ goalId: 'g-1', workspace: { name: 'shop', ...workspace }, ...more }) as unknown as Goal;
  const own = { mode: 'worktree', branch: 'goal/g-1' };
  expect(ownTree(goalOf({ mode: 'shared', path: '/srv/shop' }))).toBeNull();
  expect(ownTree(goalOf({ ...own, path: '' }))?.steps).toEqual([]);
  const commands = ownTree(goalOf({ ...own, path: '/data/my trees/g-1' }))?.steps.map(
    ({ command }) => command,
  );
  expect(commands).toEqual([
    'goalkeeper diff g-1',
    'goalkeeper apply g-1',
    "cd '/data/my trees/g-1' && git add -A && git commit",
  ]);
  // The branch of a complete goal has all of it.
  const complete = ownTree(goalOf({ ...own, path: '/data/g-1' }, { status: 'complete' }));
  expect(complete?.steps.at(-1)?.command).toBe('git merge goal/g-1');
  const cleared = ownTree(goalOf({ ...own, path: '/data/g-1' }, { archivedAt: 'now' }));
  expect(cleared?.steps.map(({ command }) => command)).toEqual(['goalkeeper apply g-1']);
});

it('a policy sends only what differs from the defaults', () => {
  expect(policyOf(emptyPolicy)).toEqual({});
  const rules = [
    { id: '1', tool: 'run_*', command: ' git push ', path: '', decision: 'deny' },
  ] as const;
  const form = { ...emptyPolicy, rules, approvalHours: '2', continuation: { toolErrors: '9' } };
  expect(policyOf(form)).toEqual({
    approvalTimeoutSeconds: 7200,
    tools: [{ tool: 'run_*', command: 'git push', decision: 'deny' }],
    continuation: { toolErrors: 9 },
  });
});

it('PRX-24: a form sends the domains that it lists, and asks for one where there is none', () => {
  const policy = {
    ...emptyPolicy,
    network: 'listed',
    domains: ' a.example,\n*.b.example ',
  } as const;
  const network = { domains: ['a.example', '*.b.example'] };
  expect(policyOf(policy)).toEqual({ sandbox: { network } });
  expect(policyOf({ ...policy, network: 'host' })).toEqual({ sandbox: { network: 'host' } });
  const form = { ...emptyForm(), policy };
  expect(cliTwin(form)).toMatch(/--network '?a\.example,\*\.b\.example/);
  const { problems } = readStartForm({ ...form, policy: { ...policy, domains: ' , ' } });
  expect(problemAt(problems, 'policy.sandbox')).toContain('Name a domain');
});

it('CON-93: spend has a bar for every hour, and its forecast goes by the last hour alone', () => {
  const midnight = new Date(2026, 10, 20).getTime();
  const from = new Date(midnight).toISOString();
  const key = new Date(midnight + 3 * 3_600_000).toISOString();
  const bars = spendBars([{ key, costUsd: '0.5' }], { from, by: 'hour' });
  expect(bars).toHaveLength(24);
  expect(bars[3]).toMatchObject({ share: 1, costUsd: '0.5' });
  const at = (hour: number) => midnight + hour * 3_600_000;
  expect(byMidnight('5', '0', at(18))).toBeNull();
  expect(byMidnight('5', '0.5', at(18))).toBe(8);
  expect(byMidnight('0.1', '0.1', at(0.5))).toBeCloseTo(2.45);
  expect(byMidnight('5', '2', at(23.5))).toBe(6);
});

it('the backlog of a queue is told with what nobody saw of it', () => {
  expect(backlogText([null, null, null])).toBe('Nobody has looked yet');
  expect(backlogText([null, null, 0])).toBe('Nothing waited; seen in 1 minute');
  expect(backlogText([0, 0, 0])).toBe('Nothing waited');
  expect(backlogText([1, 12, 0])).toBe('At most 12, 1 minute ago');
  expect(backlogText([null, 2, 2])).toBe('At most 2, now; seen in 2 minutes');
});

it('CON-45: an agent of the settings works instead of the own loop, and what only that one has is not sent', () => {
  const form = { ...emptyForm(), objective: 'x', workspace: 'shop', model: 'openai/a' };
  const of = (agent: string) =>
    readStartForm({ ...form, agent, fallbackModel: 'openai/b', mode: 'plan' }).body;
  expect(of('')).toMatchObject({ model: 'openai/a', fallbackModel: 'openai/b', mode: 'plan' });
  expect(of('')).not.toHaveProperty('agent');
  expect(of('opencode')).toMatchObject({ agent: 'opencode' });
  for (const field of ['model', 'fallbackModel', 'mode']) {
    expect(of('opencode')).not.toHaveProperty(field);
  }
  expect(cliTwin({ ...form, agent: 'opencode' })).toContain('--agent opencode');
});

it('CON-86: a form that begins with the files of a turn says so to the service and in its command', () => {
  const begins = { goalId: 'g-7f3a9c0123456789', turn: 4 };
  const form = { ...emptyForm(), objective: 'x', workspace: 'shop', begins };
  expect(readStartForm(form).body.workspace).toEqual({ name: 'shop' });
  const own = { ...form, tree: 'worktree' as const };
  expect(readStartForm(own).body.workspace).toEqual({
    ...{ name: 'shop', mode: 'worktree', from: begins },
  });
  expect(cliTwin(own)).toContain('--from-turn g-7f3a9c0123456789:4');
});
