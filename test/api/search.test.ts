import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Found } from '../../schema/search.ts';
import { foundIn } from '../../src/api/found-in.ts';
import { createClient } from '../../src/cli/client.ts';
import type { HoldingGoal, Page } from '../../src/contract/reads.ts';
import { goalsHolding } from '../../src/store/reads/goals-holding.ts';
import { createReader } from '../../src/store/reads/reader.ts';
import { start } from '../cli/command-line.ts';
import { giveTo, TOKENS } from '../support/goal-world.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { problemOf } from '../workflows/helpers.ts';

const ask = reply.call('ask_user', { question: 'Is it right?' });

/** What JSON writes in other characters than these, and letters beyond ASCII. */
const ODD = 'say "sorb tree"\n\tin C:\\sorb\\bin\nGR\u00dcNE B\u00c4UME \u001b[1m';

let goals: ScriptedGoals;
const ids: Record<string, string> = {};
beforeAll(async () => {
  goals = await openScriptedGoals({
    says: sequence([reply.call('list_files', { path: '.' }, 'The QUINCE_jar\nis empty.'), ask]),
    asks: sequence([reply.call('run_command', { command: 'echo quince_jar > left.txt' }), ask]),
    prints: sequence([reply.call('run_command', { command: "printf 'quince%s\\n' _jar" }), ask]),
    nothing: sequence([reply.call('run_command', { command: 'echo pear' }), ask]),
    odd: sequence([reply.call('write_file', { path: 'odd.txt', content: ODD }), ask]),
    refused: sequence([reply.call('no_such_tool', {}), ask]),
    cut: sequence([
      reply.call('run_command', { command: 'seq -f "line %.0f of the mulberry" 20000' }),
      ask,
    ]),
  });
  for (const name of ['nothing', 'says', 'asks', 'prints']) {
    ids[name] = (await goals.run(name)).goalId;
  }
});
afterAll(() => goals.world.close());

const search = (query: string, client = goals.world.client) =>
  client.get<Page<Found>>(`/v1/search?${query}`);
const told = ({ items }: Page<Found>) =>
  items.map(({ goal, turns, calls }) => [
    goal.goalId,
    ...turns.map(({ turn, text }) => `${turn} ${text}`),
    ...calls.map(({ tool, text }) => `${tool} ${text}`),
  ]);

test('CON-92: words are found in what goals said, did and printed, last changed first, with where', async () => {
  expect(told(await search('q=quince_JAR'))).toEqual([
    [ids.prints, "run_command printf 'quince%s\\n' _jar"],
    [ids.asks, 'run_command echo quince_jar > left.txt'],
    [ids.says, '1 The QUINCE_jar is empty.'],
  ]);
  const found = await search('q=quince_jar');
  expect(found.nextCursor).toBeNull();
  expect(found.items[0]?.calls[0]?.seq).toBeGreaterThan(0);
  expect(told(await search('q=quince%25jar'))).toEqual([]);
});

test('CON-92: pages go on where the last one ended, and a cleared goal is not found', async () => {
  const first = await search('q=quince_jar&limit=2');
  expect(first.items).toHaveLength(2);
  const rest = await search(`q=quince_jar&limit=2&cursor=${first.nextCursor}`);
  expect(rest.items.map(({ goal }) => goal.goalId)).toEqual([ids.says]);
  expect(rest.nextCursor).toBeNull();
  const { goalId } = await goals.run('says');
  expect((await search('q=quince_jar')).items).toHaveLength(4);
  await goals.send(goalId, 'clear');
  await goals.world.until(goalId, ({ archivedAt }) => archivedAt !== undefined);
  expect((await search('q=quince_jar')).items).toHaveLength(3);
});

test('CON-92: nobody finds what is out of their sight, and what is too short or no cursor is refused by its field', async () => {
  const agent = createClient({ url: goals.world.url, token: TOKENS.agent });
  expect(await search('q=quince_jar', agent)).toEqual({ items: [], nextCursor: null });
  await giveTo(goals.world, ids.says ?? '', TOKENS.agent);
  expect(told(await search('q=quince_jar', agent))).toEqual([
    [ids.says, '1 The QUINCE_jar is empty.'],
  ]);
  for (const [query, field] of [
    ['q=q', 'q'],
    ['limit=3', 'q'],
    ['q=quince&cursor=x', 'cursor'],
  ] as const)
    expect(await problemOf(search(query))).toMatchObject({ status: 400, field });
});

test('CON-92: a look that takes too long ends with a cursor, from which the next one goes on', async () => {
  const sight = { startedBy: null, workspaces: null };
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<HoldingGoal> = await goalsHolding(
      goals.world.database,
      { sight, q: 'quince_jar', limit: 50, ...(cursor === null ? {} : { cursor }) },
      { patienceMs: 0, fewest: 64 },
    );
    expect(page.items.length).toBeLessThan(2);
    seen.push(...page.items.map(({ goalId }) => goalId));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen.filter((goalId) => Object.values(ids).includes(goalId))).toEqual([
    ...[ids.prints, ids.asks, ids.says],
  ]);
});

test('TERM-77: search at the command line tells each goal with its turns and rows, and what it has not looked at', async () => {
  const environment = { GOALKEEPER_URL: goals.world.url, GOALKEEPER_TOKEN: TOKENS.viewer };
  const goalkeeper = (...args: string[]) => start(args, environment).done;
  const all = await goalkeeper('search', 'quince_jar');
  expect([all.exitCode, all.err]).toEqual([0, '']);
  expect(all.out).toMatch(
    new RegExp(
      `^${ids.asks} {2}asks: go\\n {2}#\\d+ run_command {2}echo quince_jar > left.txt$`,
      'm',
    ),
  );
  expect(all.out).toContain('  turn 1  The QUINCE_jar is empty.');
  const few = await goalkeeper('search', 'quince_jar', '--limit', '1');
  expect(few.out.trim().split('\n').at(-1)).toBe('Older goals were not looked at: raise --limit.');
  expect((await goalkeeper('search', 'medlar')).out).toBe('Nothing holds "medlar".\n');
  const short = await goalkeeper('search', 'q');
  expect([short.exitCode, short.err]).toEqual([3, expect.stringMatching(/field: +q/)]);
});

test('CON-92: a cursor is given only where goals are left, and one goal is told whatever the time', async () => {
  expect((await search('q=quince_jar&limit=3')).nextCursor).toBeNull();
  const sight = { startedBy: null, workspaces: null };
  const asked = { sight, q: 'quince_jar' };
  const held = await goalsHolding(goals.world.database, { ...asked, limit: 50 });
  expect(held.items.length).toBe(3);
  const { store } = goals.world;
  const reader = createReader(store, goals.world.ledgerKeys);
  const one = await foundIn({ reader }, held, { ...asked, until: 0 });
  expect(told(one)).toEqual([[ids.prints, "run_command printf 'quince%s\\n' _jar"]]);
  const rest = await search(`q=quince_jar&cursor=${one.nextCursor}`);
  expect(rest.items.map(({ goal }) => goal.goalId)).toEqual([ids.asks, ids.says]);
});

test('CON-92: pages and cursors of one who sees a single goal know of no other', async () => {
  const [own] = await goals.world.database<{ by: string }[]>`
    SELECT created_by AS by FROM goal WHERE goal_id = ${ids.says ?? ''}`;
  const sight = { startedBy: own?.by ?? '', workspaces: null };
  const look = { patienceMs: 0, fewest: 1 };
  const asked = { sight, q: 'quince_jar', limit: 50 };
  const page = await goalsHolding(goals.world.database, asked, look);
  expect(page.items.map(({ goalId }) => goalId)).toEqual([ids.says]);
  expect(page.nextCursor).toBeNull();
  // With the place of another goal, from which there is nothing further back in this sight, or that one.
  const all = { startedBy: null, workspaces: null };
  const others = await goalsHolding(goals.world.database, { ...asked, sight: all });
  for (const { goalId, cursor } of others.items) {
    const behind = await goalsHolding(goals.world.database, { ...asked, cursor });
    const isBefore =
      others.items.findIndex((one) => one.goalId === ids.says) >
      others.items.findIndex((one) => one.goalId === goalId);
    expect(behind).toEqual(isBefore ? page : { items: [], nextCursor: null });
  }
});

test('CON-113: words with quotes, backslashes, line breaks and letters of any language are found as they were written', async () => {
  const { goalId } = await goals.run('odd');
  const words = [
    ...[
      '"sorb tree"',
      'sorb tree"\n\tin',
      'C:\\sorb\\bin',
      '\\SORB\\',
      '\nGR\u00dcNE',
      'gr\u00fcne b\u00e4ume',
    ],
    ...['\u001b[1m', 'B\u00c4UME \u001b'],
  ];
  const missing = [
    'sorb_tree"',
    'sorb%tree',
    'C:\\\\sorb',
    '\\nGR\u00dcNE',
    'tree\\"',
    'nGR\u00dcNE',
    'tin C:',
  ];
  for (const [asked, isThere] of [
    ...words.map((word) => [word, true] as const),
    ...missing.map((word) => [word, false] as const),
  ]) {
    const q = `q=${encodeURIComponent(asked)}`;
    const found = await search(q);
    expect([asked, found.items.map(({ goal }) => goal.goalId)]).toEqual([
      ...[asked, isThere ? [goalId] : []],
    ]);
    if (isThere) expect([asked, found.items[0]?.calls.length]).toEqual([asked, 1]);
    for (const list of ['calls', 'ledger']) {
      const page = await goals.world.client.get<Page<object>>(`/v1/goals/${goalId}/${list}?${q}`);
      expect([asked, list, page.items.length > 0]).toEqual([asked, list, isThere]);
    }
  }
});

test('CON-114: what a model alone saw is found with its call, however much was printed', async () => {
  for (const [name, words, tool] of [
    ['cut', 'exited 0\nline 1 of the mulberry', 'run_command'],
    ['refused', '"no_such_tool". The nearest are', 'no_such_tool'],
  ] as const) {
    const { goalId } = await goals.run(name);
    const { items } = await search(`q=${encodeURIComponent(words)}`);
    expect(items.map(({ goal, calls }) => [goal.goalId, calls.map((call) => call.tool)])).toEqual([
      [goalId, [tool]],
    ]);
    for (const list of ['calls', 'ledger']) {
      const path = `/v1/goals/${goalId}/${list}?q=${encodeURIComponent(words)}`;
      const page = await goals.world.client.get<Page<{ tool: string }>>(path);
      expect(page.items.map((call) => call.tool)).toEqual([tool]);
    }
  }
});
