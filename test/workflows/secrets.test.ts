import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goalIdOf, reply, sequence } from '../../demo/script.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { temporalClient } from './helpers.ts';

const RUNS = Number(process.env.GOALKEEPER_SECRET_RUNS ?? 2);

/** Known to the worker by its environment, and by its shape. */
const KNOWN = 'kn0wn"sécret/of the worker';
const TOKEN = `ghp_${'Zx9Yw8Vu'.repeat(5)}`;
const SAYS = [KNOWN, TOKEN];

/** Goals that come after the first one. */
const THEN = 'then';

/** Where a goal may echo a secret. */
const places = {
  text: (secret: string) => reply.call('list_files', {}, `The key is ${secret}, I think.`),
  content: (secret: string) =>
    reply.call('write_file', { path: 'env.txt', content: `A=${secret}\nB=1\n` }),
  edit: (secret: string) =>
    reply.call('edit_file', { path: 'kept.txt', edits: [{ oldText: 'nothing', newText: secret }] }),
  path: () => reply.call('read_file', { path: `no/${TOKEN}` }),
  command: (secret: string) =>
    reply.call('run_command', { command: `printf '%s\\n' '${secret}' | tee out.txt; exit 3` }),
  output: () => reply.call('run_command', { command: 'cat given.txt; cat given.txt >&2' }),
  read: () => reply.call('read_file', { path: 'given.txt' }),
  grep: () => reply.call('grep_search', { pattern: 'x .* y' }),
  malformed: (secret: string) => reply.malformedCall('read_file', `{"path": ${secret}`),
  unknownTool: (secret: string) => reply.call('nothing_like_it', { secret }),
  plan: (secret: string) => reply.call('update_plan', { markdown: `# Plan\n\nUse ${secret}.` }),
  todo: (secret: string) =>
    reply.call('todo_write', { todos: [{ content: `Use ${secret}`, status: 'in_progress' }] }),
} as const;
type Place = keyof typeof places;

const question = (secret: string) => reply.call('ask_user', { question: `Is it ${secret}?` });

const steps = (order: readonly Place[], secrets: readonly string[]) =>
  order.map((place, index) => places[place](secrets[index % secrets.length] as string));

let order: readonly Place[] = [];
let goals: ScriptedGoals;
beforeAll(async () => {
  process.env.TEST_WORKER_SECRET = KNOWN;
  const echoes = (request: Parameters<ReturnType<typeof sequence>>[0]) =>
    sequence([...steps(order, SAYS), question(KNOWN)])(request);
  const asks = sequence([
    reply.call('run_command', { command: `echo ${TOKEN} > answer.txt` }),
    question('?'),
  ]);
  goals = await openScriptedGoals({ echoes, asks });
});
afterAll(() => {
  delete process.env.TEST_WORKER_SECRET;
  return goals.world.close();
});

/** Every table, as text, and what Temporal keeps. */
async function dump(goalId: string): Promise<string> {
  const { database } = goals.world;
  const tables = await database<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`;
  expect(tables.length).toBeGreaterThan(20);
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await database`SELECT t::text AS row FROM ${database(name)} t`;
    texts.push(...rows.map(({ row }) => `${name} ${readable(row)}`));
  }
  const temporal = temporalClient(goals.world);
  const history = await temporal.workflow.getHandle(`goal:${goalId}:1`).fetchHistory();
  await temporal.connection.close();
  const payloads = JSON.stringify(history, (_key, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString() : value,
  );
  return [...texts, payloads].join('\n');
}

/** Bytes are printed in hexadecimal digits. */
const readable = (row: string): string =>
  row.replace(/\\\\x([0-9a-f]{2,})|\\x([0-9a-f]{2,})/g, (_all, one, two) =>
    Buffer.from(one ?? two, 'hex').toString(),
  );

/** Its parts without the signs that JSON, SQL and shells write otherwise. */
const traces = [/kn0wn/, /s[^ ]{0,12}cret\/of the worker/, /Zx9Yw8Vu/];

/** What stands around it tells where it leaked. */
function around(text: string, trace: RegExp): string | null {
  const at = text.search(trace);
  return at === -1 ? null : text.slice(Math.max(0, at - 200), at + 60);
}

const given = { 'given.txt': `x ${KNOWN} y\n${TOKEN}\n`, 'kept.txt': 'nothing\n' };

describe('secrets', () => {
  test('of the worker and of known shapes reach no table, no history and no prompt, wherever a goal echoes them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(Object.keys(places) as Place[], { minLength: 12 }),
        fc.boolean(),
        async (shuffled, isLaterPause) => {
          order = shuffled;
          const before = goals.world.model.requests.length;
          const workspace = { path: await goals.world.workspace(given) };
          const objective = `echoes: use ${KNOWN} and ${TOKEN}`;
          const goal = await goals.run('echoes', { workspace, objective });
          expect(goal.pause?.reason).toBe('question');
          if (isLaterPause) {
            const answer = { questionId: goal.pause?.questionId, text: `It is ${TOKEN}.` };
            await goals.send(goal.goalId, 'answers', answer);
            await goals.rest(goal.goalId);
          }
          const stored = await dump(goal.goalId);
          expect(stored).toContain('[masked]');
          for (const trace of traces) expect(around(stored, trace)).toBeNull();
          const asked = goals.world.model.requests.slice(before);
          expect(asked.filter((one) => goalIdOf(one) === goal.goalId).length).toBeGreaterThan(10);
          const sent = JSON.stringify(asked.map(({ messages }) => messages));
          for (const trace of traces) expect(around(sent, trace)).toBeNull();
          // What ran, ran with the true arguments.
          const read = (path: string) => readFile(join(workspace.path, path), 'utf8');
          const [content, edited, printed] = ['content', 'edit', 'command'].map(
            (place) => SAYS[shuffled.indexOf(place as Place) % SAYS.length],
          );
          expect(await read('env.txt')).toBe(`A=${content}\nB=1\n`);
          expect(await read('kept.txt')).toBe(`${edited}\n`);
          expect(await read('out.txt')).toBe(`${printed}\n`);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  test('a call that a person approves runs with its true arguments, which nobody stored', async () => {
    const workspace = { path: await goals.world.workspace({}) };
    const tools = [{ tool: 'run_command', command: 'echo *', decision: 'ask' as const }];
    const goalId = await goals.start('asks', { workspace, policy: { tools } });
    const { client } = goals.world;
    const waits = await goals.world.until(goalId, ({ activity }) => activity.on === 'approval');
    expect(waits.status).toBe('active');
    const { items } = await client.get<{ items: { approvalId: string; goalId: string }[] }>(
      '/v1/approvals',
    );
    const approval = items.find((one) => one.goalId === goalId);
    expect(JSON.stringify(approval)).not.toMatch(/Zx9Yw8Vu/);
    await goals.send(goalId, `approvals/${approval?.approvalId}`, { decision: 'approve' });
    await goals.rest(goalId);
    expect(await readFile(join(workspace.path, 'answer.txt'), 'utf8')).toBe(`${TOKEN}\n`);
    expect(await dump(goalId)).not.toMatch(/Zx9Yw8Vu/);
  });

  test('SEC-49 what is run or looked for as it was given may hold none, and its field is named', async () => {
    const { client, database } = goals.world;
    const workspace = { path: await goals.world.workspace({}) };
    const criterion = { kind: 'command', command: `curl -H 'Key: ${TOKEN}' local.test` };
    const goal = { objective: 'x', workspace };
    const held = await goals.start('asks', { workspace });
    const to: readonly [field: string, route: string, body: object][] = [
      ['model', '/v1/goals', { ...goal, model: `scripted/${TOKEN}` }],
      ['criteria.0.command', '/v1/goals', { ...goal, criteria: [criterion] }],
      ['setup.0', '/v1/goals', { ...goal, setup: [`KEY=${TOKEN} npm ci`] }],
      ['then.0.model', '/v1/goals', { ...goal, [THEN]: [{ objective: 'y', model: TOKEN }] }],
      ['criteria.0.command', `/v1/goals/${held}`, { criteria: [criterion] }],
      ['criterion.command', '/v1/checks', { workspace, criterion }],
      [
        'start.criteria.0.command',
        '/v1/schedules',
        {
          name: 'daily',
          when: { everySeconds: 86_400 },
          start: { ...goal, criteria: [criterion] },
        },
      ],
      [
        'action.goal.criteria.0.command',
        '/v1/triggers',
        { name: 'issues', action: { kind: 'start', goal: { ...goal, criteria: [criterion] } } },
      ],
    ];
    for (const [field, route, body] of to) {
      const method = route === `/v1/goals/${held}` ? 'PATCH' : 'POST';
      await expect(client.send(method, route, body), route).rejects.toMatchObject({
        problem: { code: 'invalid_request', field },
      });
    }
    const [{ count }] = await database<[{ count: number }]>`
      SELECT count(*)::int AS count FROM request WHERE body::text LIKE '%Zx9Yw8Vu%'`;
    expect(count).toBe(0);
    expect(await dump(held)).not.toMatch(/Zx9Yw8Vu/);
  });
});
