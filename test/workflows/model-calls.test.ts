import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { type ChatMessage, type ChatRequest, reply } from '../../demo/script.ts';
import type {
  askedModelCallSchema,
  ModelCall,
  ModelRequest,
  RequestMessage,
} from '../../schema/model-call.ts';
import { start } from '../cli/command-line.ts';
import { TOKENS } from '../support/goal-world.ts';
import { answerExists, claim, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import {
  counting,
  isForNotes,
  openCrowdedGoals,
  PARTS,
  parts,
  requestsOf,
  SMALL,
  talker,
} from './compaction-world.ts';

type AskedCall = z.infer<typeof askedModelCallSchema>;

const secret = `sk-ant-api03-${'k'.repeat(40)}`;
const isForReview = ({ messages }: ChatRequest): boolean =>
  messages[0]?.text.startsWith('You review') === true;
const PONDERED_MS = 400;
const NOTES = '## Done\nAll parts are read.\n## Open\nThe answer.';
const works = counting((_request, step) => {
  if (step === 1) return reply.call('read_file', { path: 'part-1.txt' }, 'I look first.');
  if (step === 2) return reply.text('I have looked.');
  if (step === 3) return reply.error(503);
  return step === 4 ? write : claim;
});

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openCrowdedGoals({
    works,
    reviewed: counting((request, step) => {
      if (isForReview(request)) return reply.text('{"verdict":"pass","findings":[]}');
      return step === 1 ? write : claim;
    }),
    talks: talker(() => reply.text(NOTES)),
    ponders: counting((_request, step) =>
      step === 1 ? { ...write, delayMs: PONDERED_MS } : claim,
    ),
    keeps: counting((_request, step) => {
      if (step === 1) return reply.call('run_command', { command: `echo ${secret}` });
      return step === 2 ? write : claim;
    }),
  });
});
afterAll(() => goals.world.close());

const turnsOf = async (goalId: string) => (await goals.turns(goalId)).map(({ turn }) => turn);

const listOf = async (goalId: string, turn: number): Promise<readonly ModelCall[]> =>
  (
    await goals.world.client.get<{ items: ModelCall[] }>(
      `/v1/goals/${goalId}/turns/${turn}/model-calls`,
    )
  ).items;

const placeOf = ({ turn, kind, step, attempt }: ModelCall) =>
  `turns/${turn}/model-calls/${kind}/${step}/${attempt}`;

async function callsOf(goalId: string): Promise<readonly AskedCall[]> {
  const lists = await Promise.all((await turnsOf(goalId)).map((turn) => listOf(goalId, turn)));
  return await Promise.all(
    lists
      .flat()
      .map((call) => goals.world.client.get<AskedCall>(`/v1/goals/${goalId}/${placeOf(call)}`)),
  );
}

const MARK = /(<host mark=")[0-9a-f]{16}(")/g;

/** What a provider was sent, line by line, but for the mark of the host. */
const sentLines = ({ messages }: ChatRequest): string[] => messages.flatMap(linesOf);

const linesOf = ({ role, text, calls, callId }: ChatMessage): string[] => {
  const mark = /<host mark="([0-9a-f]{16})"/.exec(text)?.[1];
  const isSystem = role === 'system' && mark !== undefined;
  const shown = isSystem ? text.replaceAll(mark, '…') : text.replace(MARK, '$1…$2');
  const said = `${role} ${callId ?? ''}: ${shown}`;
  return [said, ...calls.map(({ id, tool, input }) => `  ${id} ${tool} ${asJson(input)}`)];
};

const asJson = (input: string): string => JSON.stringify(JSON.parse(input));

const shownLines = ({ system, messages }: ModelRequest): string[] => [
  `system : ${system}`,
  ...messages.flatMap(({ role, parts }) =>
    role === 'tool'
      ? parts.flatMap(resultLine)
      : [saidLine(role, parts), ...parts.flatMap(callLine)],
  ),
];

type Parts = RequestMessage['parts'];

const saidLine = (role: string, parts: Parts): string =>
  `${role} : ${parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')}`;
const resultLine = (part: Parts[number]): string[] =>
  part.type === 'result' ? [`tool ${part.id}: ${part.text}`] : [];
const callLine = (part: Parts[number]): string[] =>
  part.type === 'call' ? [`  ${part.id} ${part.tool} ${JSON.stringify(part.input)}`] : [];

const allShown = (calls: readonly AskedCall[]) =>
  calls.map(({ request }) => request && shownLines(request));

test('INSP-1 each request is shown as its provider was sent it, failed and repeated ones too', async () => {
  const workspace = { path: await goals.world.workspace(parts(PARTS)) };
  const goal = await goals.run('works', { workspace });
  expect(goal.status).toBe('complete');
  const calls = await callsOf(goal.goalId);
  expect(calls.map(({ call }) => call.state)).toEqual([
    ...['committed', 'committed', 'failed', 'committed', 'committed'],
  ]);
  expect(allShown(calls)).toEqual(requestsOf(goals, goal.goalId).map(sentLines));
  const tools = requestsOf(goals, goal.goalId).map((request) => request.tools);
  expect(calls.map(({ request }) => request?.tools.map(({ name }) => name))).toEqual(tools);
});

test('INSP-2 requests before and after a compaction are shown as they were, and so is the one for its notes', async () => {
  const goal = await goals.run('talks', { model: SMALL });
  expect(goal.status).toBe('complete');
  const calls = await callsOf(goal.goalId);
  const sent = goals.world.model.requests.filter(
    (request) => requestsOf(goals, goal.goalId).includes(request) || isForNotes(request),
  );
  expect(allShown(calls)).toEqual(sent.map(sentLines));
  const notes = calls.find(({ call }) => call.kind === 'compaction');
  expect(notes).toMatchObject({ answer: { text: NOTES, calls: [] }, request: { tools: [] } });
  const shownBy = calls.map(({ request }) => request?.compaction);
  expect(shownBy.slice(0, 2)).toEqual([null, null]);
  expect(shownBy).toContain(1);
});

test('INSP-3 what a reviewer was asked is shown with the rest', async () => {
  const review = { kind: 'review', rubric: 'answer.txt holds 42' } as const;
  const goal = await goals.run('reviewed', { criteria: [answerExists, review] });
  const calls = await callsOf(goal.goalId);
  const [asked] = calls.filter(({ call }) => call.kind === 'review');
  const sent = goals.world.model.requests.find(isForReview);
  expect(asked?.request && shownLines(asked.request)).toEqual(sent && sentLines(sent));
  expect(asked).toMatchObject({ answer: null, call: { state: 'committed' } });
});

test('INSP-4 an answer is shown with its calls, and a secret neither in it nor in a request', async () => {
  const goal = await goals.run('keeps');
  const calls = await callsOf(goal.goalId);
  expect(calls[0]?.answer).toMatchObject({ calls: [{ callId: 't1.s1.1', tool: 'run_command' }] });
  expect(JSON.stringify(calls)).toContain('echo ');
  expect(JSON.stringify(calls)).not.toContain(secret);
});

test('INSP-5 a call of an earlier version is told without its request, and one that never was is not found', async () => {
  const goal = await goals.run('reviewed');
  await goals.world.database`UPDATE step SET request = NULL WHERE goal_id = ${goal.goalId}`;
  const calls = await callsOf(goal.goalId);
  expect(calls.map(({ request, call }) => [request, call.hasRequest])).toEqual([
    ...[
      [null, false],
      [null, false],
    ],
  ]);
  const { client } = goals.world;
  const none = client.get(`/v1/goals/${goal.goalId}/turns/1/model-calls/turn/9/1`);
  await expect(none).rejects.toMatchObject({ problem: { code: 'not_found' } });
  const wrong = client.get(`/v1/goals/${goal.goalId}/turns/1/model-calls/thought/1/1`);
  await expect(wrong).rejects.toMatchObject({
    problem: { code: 'invalid_request', field: 'kind' },
  });
  expect(await listOf(goal.goalId, 9)).toEqual([]);
});

test('INSP-8 a call tells when its first token came, within its own time, and nothing where none came', async () => {
  const pondered = await goals.run('ponders');
  const [first] = await listOf(pondered.goalId, 1);
  const lasted = Date.parse(first?.endedAt ?? '') - Date.parse(first?.startedAt ?? '');
  expect(first?.firstTokenMs).toBeGreaterThanOrEqual(PONDERED_MS - 10);
  expect(first?.firstTokenMs).toBeLessThanOrEqual(lasted + 10);
  const talked = await callsOf((await goals.run('talks', { model: SMALL })).goalId);
  const notes = talked.find(({ call }) => call.kind === 'compaction');
  expect(notes?.call.firstTokenMs).toBeGreaterThanOrEqual(0);
  const worked = await callsOf((await goals.run('works')).goalId);
  const failed = worked.find(({ call }) => call.state === 'failed');
  expect(failed?.call.firstTokenMs).toBeNull();
});

test('INSP-6 a prompt that many goals share is kept once', async () => {
  const rows = await goals.world.database<{ hash: string; goals: number }[]>`
    SELECT p.hash, count(DISTINCT s.goal_id)::int AS goals
    FROM sent_prompt p LEFT JOIN step s ON s.request->>'prompt' = p.hash GROUP BY p.hash`;
  expect(rows.length).toBeLessThanOrEqual(3);
  expect(Math.max(...rows.map((row) => row.goals))).toBeGreaterThan(2);
});

test('INSP-7 the command line lists the calls of a turn, and prints one with its request and answer', async () => {
  const goal = await goals.run('keeps');
  const { url } = goals.world;
  const run = (...args: string[]) =>
    start(['model-calls', goal.goalId, ...args], {
      GOALKEEPER_URL: url,
      GOALKEEPER_TOKEN: TOKENS.viewer,
    }).done;
  const list = await run('--turn', '1');
  expect(list.err).toBe('');
  expect(list.out.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^call +at +model +state +in +cached +out +cost +trouble$/),
    expect.stringMatching(/^turn\.1\.1 +\S+ +compatible\/scripted +committed /),
  ]);
  const one = await run('--turn', '1', '--call', 'turn.2');
  expect(one.exitCode).toBe(0);
  const titles = one.out.split('\n').filter((line) => line.startsWith('== '));
  expect(titles).toEqual([
    ...['== system', '== tools', '== user', '== assistant', '== run_command'],
    ...['== The goal as it stood', '== answer', '== write_file t1.s2.1'],
  ]);
  const wrong = await run('--turn', '1', '--call', 'first');
  expect(wrong.exitCode).not.toBe(0);
  expect(wrong.err).toContain('turn.2.1 is the first try of step 2');
});

test('TERM-52 one turn, what it wrote, what a model was asked in it and two turns are shown of the record', {
  tags: 'campaign',
}, async () => {
  const goal = await goals.run('keeps');
  const { url } = goals.world;
  const show = (...args: string[]) =>
    start(['show', goal.goalId, ...args], { GOALKEEPER_URL: url, GOALKEEPER_TOKEN: TOKENS.viewer })
      .done;
  const turn = await show('--turn', '1');
  expect([turn.err, turn.exitCode]).toEqual(['', 0]);
  expect(turn.out).toMatch(/ run +echo .*exit 0/);
  expect(turn.out).toMatch(/^ +2 {2}Call 2 .*compatible\/scripted/m);
  const asked = await show('--turn', '1', '--request', '2');
  expect(asked.out).toContain('== The goal as it stood');
  expect(asked.out).toMatch(/^== write_file t1\.s2\.1$/m);
  expect((await show('--turn', '1', '--diff')).out).toContain('from t0 to t1');
  const both = JSON.parse((await show('--turn', '1', '--compare', '1', '--json')).out);
  expect(both.left.turn).toEqual(both.right.turn);
  const gone = await show('--turn', '9', '--json');
  expect(gone.exitCode).toBe(3);
  expect(JSON.parse(gone.out).error).toMatchObject({ field: 'turn', nearest: 1 });
});
