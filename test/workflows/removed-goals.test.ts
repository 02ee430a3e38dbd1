import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { ReadOwn } from '../../src/api/application.ts';
import { type RemovingGoals, removeOldGoals } from '../../src/api/retention/rounds.ts';
import { type RunningApi, startApi } from '../../src/app/run-api.ts';
import { standingConfig } from '../../src/app/standing-rules.ts';
import { readArchive } from '../../src/cli/archive/goal-archive.ts';
import type { RemovedGoalsPort, RemoveGoal } from '../../src/contract/removed-goals.ts';
import { start } from '../cli/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import {
  aged as agedIn,
  archiveFolder,
  readOwnOf,
  removing as removingIn,
} from '../support/removed-goals.ts';

let world: GoalWorld;
let folder: string;
let second: RunningApi | null = null;
beforeAll(async () => {
  folder = await archiveFolder();
  const asks = sequence([
    reply.call('run_command', { command: "printf 'loud\\n'; exit 3" }),
    reply.call('ask_user', { question: 'Go on?' }),
  ]);
  const works = sequence([
    reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
    reply.call('attempt_completion', { result: 'It is there.' }),
  ]);
  const script: Script = (request) => (objectiveOf(request) === 'work' ? works : asks)(request);
  world = await openGoalWorld({ script });
});
afterEach(async () => {
  await second?.close();
  second = null;
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

/** A goal that a person declared complete, as if that were forty days ago. */
async function oldGoal(): Promise<string> {
  const path = await world.workspace({ 'a.txt': 'a\n' });
  const { goalId } = await world.start({ objective: 'ask', workspace: { path }, criteria: [] });
  await world.until(goalId, ({ pause }) => pause?.reason === 'question');
  await world.client.send('POST', `/v1/goals/${goalId}/complete`, { result: 'by hand' });
  await world.until(goalId, ({ status }) => status === 'complete');
  return await aged(goalId);
}

/** One that is proven. */
async function provenGoal(): Promise<string> {
  const path = await world.workspace({ 'a.txt': 'a\n' });
  const criteria = [{ kind: 'command', command: 'grep -q 42 answer.txt' } as const];
  const scope = { change: ['answer.txt'] };
  const { goalId } = await world.start({ objective: 'work', workspace: { path }, criteria, scope });
  await world.until(goalId, ({ status }) => status === 'complete');
  return await aged(goalId);
}

const aged = (goalId: string) => agedIn(world, goalId);

const readOwn: ReadOwn = (path) => readOwnOf(world)(path);

const told: { readonly goalId?: string; readonly why?: string; readonly err?: Error }[] = [];
const log = {
  info: () => {},
  warn: (about: object) => void told.push(about),
};

const removing = (archive = folder, change: Partial<RemovingGoals> = {}): RemovingGoals =>
  removingIn(world, archive, { log, ...change });

/** The same, by a removal that is another one. */
const by = (change: (remove: RemoveGoal) => RemoveGoal): Partial<RemovingGoals> => {
  const { removedGoals } = removing();
  const withLock: RemovedGoalsPort['withLock'] = (work) =>
    removedGoals.withLock((remove) => work(change(remove)));
  return { removedGoals: { ...removedGoals, withLock } };
};

/** A look in which something broke off. */
async function brokenLook(change: Partial<RemovingGoals>, goalId: string): Promise<void> {
  told.length = 0;
  expect(await removeOldGoals(removing(folder, change))).toBe(0);
  expect(told).toEqual([{ goalId, err: expect.objectContaining({ message: 'it died' }) }]);
}

const isThere = async (goalId: string): Promise<boolean> =>
  (await world.database`SELECT 1 FROM goal WHERE goal_id = ${goalId}`).count === 1;

/** The command line against the world's service. */
const goalkeeper = (...args: string[]) =>
  start(args, { GOALKEEPER_URL: world.url, GOALKEEPER_TOKEN: TOKENS.viewer }).done;

test('KEEP-10 an API of the operator’s file archives a goal and removes it; show says where, and reads the file', async () => {
  const goalId = await provenGoal();
  const home = world.environment.GOALKEEPER_HOME ?? '';
  const file = join(home, 'keep.config.yaml');
  await writeFile(file, `retention: {goals: {complete: 30, archive: ${folder}}}\n`);
  const { config, rules } = standingConfig({
    ...world.environment,
    ...{ GOALKEEPER_CONFIG: file, GOALKEEPER_PORT: '0' },
  });
  const { temporal } = world;
  second = await startApi({
    ...{ config, rules, databaseUrl: world.environment.DATABASE_URL ?? '' },
    temporal: { ...temporal, tls: null },
  });
  const archive = join(folder, `${goalId}.goal.jsonl`);
  await eventually(async () => {
    if (await isThere(goalId)) throw new Error(`${goalId} is still there`);
  });
  expect((await stat(archive)).mode & 0o777).toBe(0o600);
  const { goal, rows, missing, chain } = await readArchive(archive);
  expect(goal).toMatchObject({ goalId, completion: { verification: 'verified' } });
  expect(rows.length).toBeGreaterThan(1);
  expect([missing, chain?.holds]).toEqual([[], true]);
  await expect(world.client.get(`/v1/goals/${goalId}`)).rejects.toMatchObject({
    problem: { code: 'goal_removed', status: 410, goalId, archive: { path: archive } },
  });
  await expect(world.client.get(`/v1/goals/${goalId}/turns`)).rejects.toMatchObject({
    problem: { code: 'goal_removed' },
  });
  const shown = await goalkeeper('show', goalId.slice(0, 10));
  expect([shown.exitCode, shown.err]).toEqual([3, expect.stringContaining(archive)]);
  expect(shown.err).toContain('goalkeeper show --archive FILE');
  const read = await start(['show', '--archive', archive]).done;
  expect([read.exitCode, read.out]).toEqual([0, expect.stringContaining(goalId)]);
  const verified = await fetch(`${world.url}/v1/security-log/verify`, {
    headers: { authorization: `Bearer ${TOKENS.admin}` },
  });
  expect(await verified.json()).toMatchObject({ holds: true });
});

test('KEEP-11 whatever breaks off in between, the goal is there until its archive is, and a next look removes it', async () => {
  const goalId = await oldGoal();
  const archive = join(folder, `${goalId}.goal.jsonl`);
  let asked = 0;
  told.length = 0;
  await removeOldGoals(
    removing(folder, {
      readOwn: (path) => {
        asked += 1;
        return readOwn(path);
      },
      ...by(() => async () => 'not now'),
    }),
  );
  expect(told).toEqual([expect.objectContaining({ goalId, why: 'not now' })]);
  await rm(archive);
  expect(asked).toBeGreaterThan(10);
  for (let at = 1; at <= asked; at += 1) {
    let left = at;
    const breaking: ReadOwn = (path) => {
      left -= 1;
      return left === 0 ? Promise.reject(new Error('it died')) : readOwn(path);
    };
    await brokenLook({ readOwn: breaking }, goalId);
    expect(await isThere(goalId)).toBe(true);
    expect(await readdir(folder)).not.toContain(`${goalId}.goal.jsonl`);
  }
  // A process that dies leaves what it wrote, and the lock goes with its connection.
  await writeFile(`${archive}.partial`, 'half');
  const dies = () => Promise.reject(new Error('it died'));
  await brokenLook(
    by(() => dies),
    goalId,
  );
  expect(await isThere(goalId)).toBe(true);
  expect((await readArchive(archive)).goal.goalId).toBe(goalId);
  const late = by((remove) => async (goal, written) => {
    expect(await remove(goal, written)).toBeNull();
    return await dies();
  });
  await brokenLook(late, goalId);
  expect(await isThere(goalId)).toBe(true);
  expect(await removeOldGoals(removing())).toBe(1);
  expect(await isThere(goalId)).toBe(false);
  expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
});

test('KEEP-12 where the archive can not be written, or would not be whole, the goal stays', async () => {
  const goalId = await oldGoal();
  const away = join(folder, 'not-mounted');
  await expect(removeOldGoals(removing(away))).rejects.toThrow(/mount its disk, or.* touch/);
  await expect(stat(away)).rejects.toThrow('ENOENT');
  await mkdir(away);
  await expect(removeOldGoals(removing(away))).rejects.toThrow(/mount its disk, or.* touch/);
  expect([await isThere(goalId), await readdir(away)]).toEqual([true, []]);
  const withoutOutputs: ReadOwn = async (path) =>
    path.endsWith('/output')
      ? { status: 404, bytes: Buffer.from('{"code":"not_found","status":404,"detail":"gone"}') }
      : readOwn(path);
  told.length = 0;
  expect(await removeOldGoals(removing(folder, { readOwn: withoutOutputs }))).toBe(0);
  expect(told).toEqual([
    expect.objectContaining({ goalId, why: expect.stringMatching(/lack output/) }),
  ]);
  expect(await isThere(goalId)).toBe(true);
  expect(await readdir(folder)).not.toContain(`${goalId}.goal.jsonl`);
  await world.database.unsafe(`ALTER TABLE ledger DISABLE TRIGGER ALL;
    UPDATE ledger SET tool = 'other' WHERE goal_id = '${goalId}' AND seq = 1;
    ALTER TABLE ledger ENABLE TRIGGER ALL`);
  told.length = 0;
  expect(await removeOldGoals(removing())).toBe(0);
  expect(told).toEqual([
    expect.objectContaining({ goalId, why: expect.stringMatching(/not what was written/) }),
  ]);
  expect(await isThere(goalId)).toBe(true);
});

test('KEEP-14 what a goal was is in its archive word for word, with what models were asked', async () => {
  const goalId = await oldGoal();
  expect(await removeOldGoals(removing())).toBe(1);
  const text = await readFile(join(folder, `${goalId}.goal.jsonl`), 'utf8');
  const kinds = new Set(
    text
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => (JSON.parse(line) as { kind: string }).kind),
  );
  expect([...kinds]).toEqual(
    expect.arrayContaining(['goal', 'turn', 'row', 'request', 'bytes', 'chain', 'end']),
  );
  expect(text).toContain('loud');
});

test('KEEP-40 a goal whose reads fail each time keeps no younger one from its turn', {
  tags: 'campaign',
}, async () => {
  const broken = await oldGoal();
  const whole = await oldGoal();
  const breaking: ReadOwn = (path) =>
    path.includes(broken)
      ? Promise.resolve({
          status: 500,
          bytes: Buffer.from('{"code":"internal","status":500,"detail":"it broke"}'),
        })
      : readOwn(path);
  expect(await removeOldGoals(removing(folder, { readOwn: breaking }))).toBe(1);
  expect([await isThere(broken), await isThere(whole)]).toEqual([true, false]);
  expect(await removeOldGoals(removing())).toBe(1);
});

test('KEEP-41 who loses the lock removes nothing, so that no goal goes while another process writes its archive', async () => {
  const goalId = await oldGoal();
  const losing = by((remove) => async (goal, written) => {
    await world.database`
      SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
        AND pid <> pg_backend_pid() AND database = (
          SELECT oid FROM pg_database WHERE datname = current_database())
        AND ((classid::bigint << 32) | objid::bigint) = hashtextextended('goalkeeper removes goals', 0)`;
    return await remove(goal, written);
  });
  const looked = removeOldGoals(removing(folder, losing));
  await expect(looked).rejects.toThrow('Postgres cannot be reached');
  expect(await isThere(goalId)).toBe(true);
  expect(await removeOldGoals(removing())).toBe(1);
});

test('KEEP-42 no list names a goal that is gone, its thread is free, and an MCP client hears where its archive is', async () => {
  const goalId = await oldGoal();
  const { threadId } = await world.get(goalId);
  expect(await removeOldGoals(removing())).toBe(1);
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${TOKENS.admin}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), {
    requestInit: { headers },
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const asked = await client.callTool({ name: 'get_goal', arguments: { goalId } });
  const listed = await client.callTool({ name: 'list_goals', arguments: {} });
  await client.close();
  expect(asked.isError).toBe(true);
  expect(JSON.stringify(asked)).toContain('goal_removed');
  expect(JSON.stringify(asked)).toContain(join(folder, `${goalId}.goal.jsonl`));
  expect(JSON.stringify(listed)).not.toContain(goalId);
  for (const path of ['/v1/goals?archived=true', '/v1/inbox', '/v1/search?q=loud']) {
    expect(JSON.stringify(await world.client.get(path))).not.toContain(goalId);
  }
  await expect(world.client.get(`/v1/threads/${threadId}/goal`)).rejects.toMatchObject({
    problem: { code: 'not_found' },
  });
  const path = await world.workspace({ 'a.txt': 'a\n' });
  const next = await world.start({ objective: 'ask', workspace: { path }, threadId, criteria: [] });
  expect(next.threadId).toBe(threadId);
});

test('KEEP-73 an archive of another record of the goal is kept beside the new one', {
  tags: 'campaign',
}, async () => {
  const goalId = await oldGoal();
  const path = join(folder, `${goalId}.goal.jsonl`);
  const notNow = by(() => async () => 'not now');
  const names = async () => (await readdir(folder)).filter((name) => name.startsWith(goalId));
  await removeOldGoals(removing(folder, notNow));
  await removeOldGoals(removing(folder, notNow));
  expect(await names()).toEqual([`${goalId}.goal.jsonl`]);
  // As where the goal had gone further before the database was put back.
  const fuller = (await readFile(path, 'utf8')).replace(/"revision":\d+/, '"revision":1000');
  await writeFile(path, fuller);
  expect(await removeOldGoals(removing())).toBe(1);
  const former = (await names()).filter((name) => name !== `${goalId}.goal.jsonl`);
  expect(former).toEqual([expect.stringMatching(/^g-\w{16}\.[0-9a-f]{12}\.goal\.jsonl$/)]);
  expect(await readFile(join(folder, former[0] ?? ''), 'utf8')).toBe(fuller);
  expect((await readArchive(path)).goal.goalId).toBe(goalId);
});

test('KEEP-69 the log tells why old goals stay', async () => {
  const goalId = await oldGoal();
  const id = `n-${goalId}`;
  await world.database`
    INSERT INTO notification (notification_id, goal_id, type, body, is_addressed)
    VALUES (${id}, ${goalId}, 'x', '{}', true)`;
  // Not due: the worker sends what is.
  await world.database`
    INSERT INTO delivery (notification_id, url, goal_id, origin, state, next_at)
    VALUES (${id}, 'http://127.0.0.1:9/', ${goalId}, 'goal', 'pending', now() + interval '1 day')`;
  const said: unknown[] = [];
  const info = (about: object, message: string) => void said.push({ ...about, message });
  expect(await removeOldGoals(removing(folder, { log: { ...log, info } }))).toBe(0);
  const why = 'a notification of it is on its way';
  expect(said).toEqual([{ why, goals: 1, goalIds: [goalId], message: 'old goals stay' }]);
});
