import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatRequest, reply, type ScriptedReply, sequence } from '../../demo/script.ts';
import type { Approval } from '../../schema/approval.ts';
import type { Goal } from '../../schema/goal.ts';
import type { ChainVerdict, LedgerRow } from '../../schema/ledger.ts';
import type { Plan, TodoList } from '../../schema/todo.ts';
import { start } from '../cli/command-line.ts';
import { startRepository } from '../support/git.ts';
import { TOKENS } from '../support/goal-world.ts';
import {
  answerExists,
  claim,
  openScriptedGoals,
  type ScriptedGoals,
  write,
} from '../support/scripted-goals.ts';

const PLAN = '# Plan\n\n1. Write answer.txt';
const plan = reply.call('attempt_completion', { result: PLAN, command: 'test -f answer.txt' });
const list = reply.call('todo_write', {
  todos: [
    { id: 'one', content: 'Write the answer', status: 'in_progress' },
    { id: 'two', content: 'Look at it', status: 'pending' },
  ],
});
const sign = (step: string) =>
  reply.call('complete_step', {
    step,
    result: 'Done.',
    evidence: [{ kind: 'files', summary: 'It is there.', paths: ['answer.txt'] }],
  });
const isCarriedOut = (text: string) => text.includes('A person approved the plan');
/** Plans, and as the goal that carries the plan out, writes. */
const plans = [list, plan];
const works = [write, sign('one'), sign('two'), claim];

const scripts = {
  hands: byPhase,
  again: sequence([plan, plan]),
  poor: sequence([reply.text('I look.'), plan]),
  looks: sequence([{ calls: [{ tool: 'list_files', input: {} }], delayMs: 2000 }, write, claim]),
  strays: sequence([write, reply.call('ask_user', { question: 'Plan now?' }), plan]),
};

function byPhase(request: ChatRequest): ScriptedReply {
  const isWork = request.messages.some(({ text }) => isCarriedOut(text));
  const steps = isWork ? works : plans;
  const said = request.messages.filter(({ role }) => role === 'assistant').length;
  const done = isWork ? said - plans.length : said;
  return steps[done] ?? reply.text('?');
}

let goals: ScriptedGoals;
beforeAll(async () => {
  // With a key all that is decided is sealed, in both goals.
  const environment = { GOALKEEPER_LEDGER_KEY: 'a-key-of-the-ledger-for-tests-only' };
  goals = await openScriptedGoals(scripts, { environment });
});
afterAll(() => goals.world.close());

const planned = (name: keyof typeof scripts, more: object = {}) =>
  goals.run(name, { mode: 'plan', criteria: [], ...more });

async function openPlan(goalId: string): Promise<Approval> {
  const { items } = await goals.world.client.get<{ items: Approval[] }>(
    `/v1/approvals?goalId=${goalId}`,
  );
  expect(items).toMatchObject([{ kind: 'plan', state: 'open' }]);
  return items[0] as Approval;
}

const decide = (goalId: string, approvalId: string, body: object) =>
  goals.world.client.send<Goal>('POST', `/v1/goals/${goalId}/approvals/${approvalId}`, body);

test('a plan that a person edits is carried out by one goal with its conversation, list and criteria', async () => {
  const exists = { kind: 'file', path: 'answer.txt', exists: true };
  const before = await planned('hands', { criteria: [exists], budget: { turns: 40 } });
  expect(before).toMatchObject({ status: 'paused', pause: { reason: 'unverified_claim' } });
  const { approvalId, data } = await openPlan(before.goalId);
  expect(data).toMatchObject({ result: PLAN, command: 'test -f answer.txt', changedFiles: [] });
  const edited = `${PLAN}\n2. Look at it`;
  const added = { kind: 'command', command: 'grep -q 42 answer.txt' };
  const after = await decide(before.goalId, approvalId, {
    decision: 'approve',
    plan: edited,
    criteria: [added],
  });
  expect(after).toMatchObject({
    status: 'complete',
    completion: {
      verification: 'accepted_by_person',
      result: edited,
      command: 'test -f answer.txt',
    },
    handedTo: expect.stringMatching(/^g-[0-9a-f]{16}$/) as string,
    archivedAt: expect.any(String) as string,
  });
  const { handedTo = '' } = after;
  const done = await goals.rest(handedTo);
  expect(done).toMatchObject({
    status: 'complete',
    mode: 'agent',
    threadId: before.threadId,
    plannedBy: before.goalId,
    workspace: { path: before.workspace.path },
    completion: { verification: 'verified', source: 'explicit' },
    budget: { turns: 39 },
    usage: { turns: 1 },
  });
  expect(done.criteria.map(({ criterionId, baseline }) => [criterionId, baseline])).toEqual([
    ['c1', 'unmet'],
    ['c2', 'unmet'],
  ]);
  const read = <Answer>(part: string) =>
    goals.world.client.get<Answer>(`/v1/goals/${handedTo}/${part}`);
  expect((await read<{ plan: Plan }>('plan')).plan.markdown).toBe(edited);
  expect((await read<TodoList>('todos')).items.map(({ id }) => id)).toEqual(['one', 'two']);
  const [first] = goals.world.model.requests.filter(({ messages }) =>
    messages.some(({ text }) => isCarriedOut(text)),
  );
  const seen = (first?.messages ?? []).map(({ text }) => text).join('\n');
  expect(seen).toContain('The list is stored');
  expect(seen).toContain('2. Look at it');
  const twice = decide(before.goalId, approvalId, { decision: 'approve' });
  await expect(twice).rejects.toMatchObject({ problem: { code: 'already_answered' } });
  for (const goalId of [before.goalId, handedTo]) {
    const verdict = await goals.world.client.get<ChainVerdict>(`/v1/goals/${goalId}/ledger/verify`);
    expect(verdict).toMatchObject({ holds: true, sealedFrom: 1 });
  }
});

test('C18 CFG-13 a plan is approved at the command line, which shows its command, with criteria of every kind from a file', async () => {
  const { goalId } = await planned('hands');
  const file = join(await mkdtemp(join(tmpdir(), 'goalkeeper-plan-')), 'criteria.yaml');
  await writeFile(file, '- {kind: file, path: answer.txt, exists: true}\n');
  const { world } = goals;
  const args = ['approve', goalId, '--criterion', 'grep -q 42 answer.txt', '--criteria-file', file];
  const ran = await start(args, { GOALKEEPER_URL: world.url, GOALKEEPER_TOKEN: TOKENS.admin }).done;
  expect([ran.exitCode, ran.err]).toEqual([0, '']);
  const told = await start(['show', goalId], {
    GOALKEEPER_URL: world.url,
    GOALKEEPER_TOKEN: TOKENS.viewer,
  }).done;
  expect(told.out).toContain('shown by: test -f answer.txt');
  const { handedTo = '' } = await world.get(goalId);
  expect((await goals.rest(handedTo)).criteria.map(({ spec }) => spec.kind)).toEqual([
    'command',
    'file',
  ]);
});

test('bad input to a plan is refused by name, and a denied plan is planned again', async () => {
  const { goalId } = await planned('again');
  const { approvalId } = await openPlan(goalId);
  const refused = async (body: object, problem: object, id = goalId) =>
    expect(decide(id, approvalId, body)).rejects.toMatchObject({ problem });
  await refused({ decision: 'approve', plan: ' \n' }, { code: 'invalid_request', field: 'plan' });
  await refused({ decision: 'deny', plan: PLAN }, { code: 'invalid_request', field: 'decision' });
  await refused({ decision: 'approve' }, { code: 'not_found' }, 'g-0000000000000000');
  await refused(
    { decision: 'approve', criteria: [{ kind: 'review', rubric: 'x', model: 'none/of-this' }] },
    { field: 'criteria.0.model' },
  );
  const denied = await decide(goalId, approvalId, { decision: 'deny', note: 'Name the tests.' });
  expect(denied).toMatchObject({ status: 'active' });
  const again = await goals.rest(goalId);
  expect(again).toMatchObject({ status: 'paused', pause: { reason: 'unverified_claim' } });
  const second = await openPlan(goalId);
  expect(second.approvalId).not.toBe(approvalId);
  await refused({ decision: 'approve' }, { code: 'already_answered' });
  const cleared = await goals.send(goalId, 'clear');
  expect(cleared.handedTo).toBeUndefined();
  const gone = decide(goalId, second.approvalId, { decision: 'approve' });
  await expect(gone).rejects.toMatchObject({ problem: { code: 'invalid_transition' } });
});

test('a plan that used its budget up is handed over with another one, and never without', async () => {
  const { goalId } = await planned('poor', { budget: { turns: 2 } });
  const { approvalId } = await openPlan(goalId);
  const poor = decide(goalId, approvalId, { decision: 'approve' });
  await expect(poor).rejects.toMatchObject({
    problem: { code: 'budget_too_small', field: 'budget.turns', missing: ['turns'] },
  });
  const after = await decide(goalId, approvalId, { decision: 'approve', budget: { turns: 3 } });
  const executing = await goals.world.get(after.handedTo ?? '');
  expect(executing.budget).toMatchObject({ turns: 3 });
  expect(executing.usage.turns).toBeLessThanOrEqual(3);
});

test('a goal that wrote and then plans is amended to work on, and hands nothing over', async () => {
  const { goalId } = await goals.run('strays', { criteria: [] });
  const amended = await goals.amend(goalId, { mode: 'plan' });
  expect(amended).toMatchObject({ mode: 'plan' });
  await goals.send(goalId, 'resume');
  await goals.rest(goalId);
  const { approvalId } = await openPlan(goalId);
  const approved = decide(goalId, approvalId, { decision: 'approve' });
  await expect(approved).rejects.toMatchObject({
    problem: { code: 'invalid_transition', field: 'mode' },
  });
  // What was claimed in the one mode is no claim in the other.
  const back = await goals.amend(goalId, { mode: 'agent' });
  expect(back.pause?.approvalId).toBeUndefined();
});

test('another mode holds from the next step on: the first write waits for the baseline', async () => {
  const goalId = await goals.start('looks', { mode: 'plan' });
  await goals.asked(goalId);
  await goals.amend(goalId, { mode: 'agent' });
  const done = await goals.rest(goalId);
  expect(done).toMatchObject({
    status: 'complete',
    completion: { verification: 'verified' },
    criteria: [{ baseline: 'unmet', state: 'met' }],
    usage: { turns: 1 },
  });
});

test('a goal that may only plan from now on writes nothing more', async () => {
  const goalId = await goals.start('looks');
  await goals.asked(goalId);
  await goals.amend(goalId, { mode: 'plan' });
  const rested = await goals.rest(goalId);
  expect(rested).toMatchObject({ status: 'paused', criteria: [{ state: 'unmet' }] });
  await openPlan(goalId);
  const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(
    `/v1/goals/${goalId}/ledger?tool=write_file`,
  );
  expect(items.map(({ outcome }) => outcome)).toEqual(['refused']);
});

test('a plan with a worktree of its own is carried out in another one, from the same workspace', async () => {
  const path = await goals.world.workspace({ 'a.txt': 'one\n' });
  startRepository(path);
  const workspace = { path, mode: 'worktree' } as const;
  const { goalId, workspace: own } = await planned('hands', {
    workspace,
    criteria: [answerExists],
  });
  const { approvalId } = await openPlan(goalId);
  const { handedTo = '' } = await decide(goalId, approvalId, { decision: 'approve' });
  const done = await goals.rest(handedTo);
  expect(done.workspace).toMatchObject({
    name: own.name,
    mode: 'worktree',
    branch: `goal/${handedTo}`,
  });
  expect(done.completion?.changedFiles).toEqual(['answer.txt']);
});
