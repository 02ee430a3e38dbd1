import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { afterAll, beforeAll, expect } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import { whyNoOwnNetwork } from '../../src/sandbox/namespace.ts';
import { temporalKeys } from '../../src/sealed/keys.ts';
import { readRunState } from '../../src/stack/run-file.ts';
import { orderSeal } from '../../src/store/ledger/order-seal.ts';
import { sealedConverter } from '../../src/temporal/data-converter.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { temporalClient, waitUntil } from '../workflows/helpers.ts';
import { type Mode, playClass } from './attempts.ts';
import { openService, type Service } from './service.ts';

/** `up` for its port and its guard; a world on a Temporal that everybody reaches for the rest. */
const MODE: Mode = { user: 'ordinary', sandbox: true };
const STRANGER = fileURLToPath(new URL('../stack/stranger.cjs', import.meta.url));
const WORD = 'cinnabar';
const ask = reply.call('ask_user', { question: 'Shall I paint the gazebo?' });

const whyOpen = await whyNoOwnNetwork();
let service: Service;
let goals: ScriptedGoals;
/** Without any of the service's keys. */
let raw: Client;
/** With them. */
let insider: Client;
let port: string;
beforeAll(async () => {
  service = await openService(MODE);
  port = readRunState(service.home)?.temporalAddress.split(':').at(-1) ?? '';
  goals = await openScriptedGoals({ asks: sequence([ask, write, claim]) });
  const { address, namespace } = goals.world.temporal;
  raw = new Client({ connection: await Connection.connect({ address }), namespace });
  insider = temporalClient(goals.world);
}, 300_000);
afterAll(async () => {
  await raw.connection.close();
  await insider.connection.close();
  await goals.world.close();
  await service.close();
});

const asking = async () => {
  const goalId = await goals.start('asks', { objective: `asks: about ${WORD}` });
  await goals.world.until(goalId, ({ status }) => status === 'paused');
  return goalId;
};
const payload = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const sealed = (data: Uint8Array, keyId = '0badc0de'): Payload => ({
  metadata: { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from(keyId) },
  data,
});
const of = (goalId: string) => ({ workflowId: `goal:${goalId}:1` });
const namespace = () => goals.world.temporal.namespace;

const update = (goalId: string, name: string, ...payloads: Payload[]) =>
  raw.workflowService
    .updateWorkflowExecution({
      namespace: namespace(),
      workflowExecution: of(goalId),
      request: { meta: { updateId: randomUUID() }, input: { name, args: { payloads } } },
      waitPolicy: { lifecycleStage: 3 },
    })
    .then(
      ({ outcome }) => outcome?.failure?.applicationFailureInfo?.type ?? 'accepted',
      (error: Error) => error.message,
    );
const signal = (goalId: string, signalName: string, ...payloads: Payload[]) =>
  raw.workflowService.signalWorkflowExecution({
    namespace: namespace(),
    workflowExecution: of(goalId),
    signalName,
    input: { payloads },
  });

const toldOf = (goalId: string) =>
  waitUntil(async () => {
    const rows = await goals.world.database<{ data: { why: string } }[]>`
      SELECT data FROM event WHERE goal_id = ${goalId} AND type = 'security.refused' ORDER BY seq`;
    return rows.length > 0 ? rows.map(({ data }) => data.why) : null;
  }, 60_000);

/** As it was; and it takes a person's word as ever. */
async function untouched(goalId: string): Promise<void> {
  const { status, pause } = await goals.world.get(goalId);
  expect(status).toBe('paused');
  await goals.send(goalId, 'answers', { questionId: pause?.questionId, text: 'Yes.' });
  expect((await goals.world.until(goalId, (goal) => goal.status === 'complete')).status).toBe(
    'complete',
  );
}

async function refused(
  name: string,
  whys: readonly string[],
  ...payloads: Payload[]
): Promise<number> {
  const goalId = await asking();
  expect(await update(goalId, name, ...payloads)).not.toBe('accepted');
  const [why] = await toldOf(goalId);
  expect(whys).toContain(why);
  await untouched(goalId);
  return 1;
}

const bytes = (...args: string[]) =>
  Number(
    spawnSync(args[0] ?? '', args.slice(1))
      .stdout.toString()
      .trim() || '0',
  );
const complete = { commitId: randomUUID(), role: 'admin', by: 'Mallory', kind: 'complete' };
/** Under the id that it bears, as the service sends its own: another one is refused at once. */
const insiderUpdate = (goalId: string, name: string, given: unknown) =>
  insider.workflow
    .getHandle(of(goalId).workflowId)
    .executeUpdate(name, {
      args: [given],
      updateId: typeof given === 'string' && given.length < 100 ? given : randomUUID(),
    })
    .then(
      () => 'accepted',
      () => 'refused',
    );

playClass('temporal', MODE, {
  'TMP-1': async () => {
    if (whyOpen !== null) return 'no network of its own';
    if (process.getuid?.() !== 0) return 'not root';
    expect(
      bytes(
        'setpriv',
        '--reuid',
        '12345',
        '--regid',
        '12345',
        '--clear-groups',
        process.execPath,
        STRANGER,
        port,
      ),
    ).toBe(0);
    return 1;
  },
  'TMP-2': async () => {
    if (whyOpen !== null) return 'no network of its own';
    const own =
      process.getuid?.() === 0
        ? ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups']
        : ['env'];
    expect(bytes(...own, process.execPath, STRANGER, port)).toBe(0);
    expect(bytes(process.execPath, STRANGER, port)).toBe(0);
    return 2;
  },
  'TMP-3': async () => {
    if (whyOpen !== null) return 'no network of its own';
    const folder = service.folder({ 'stranger.cjs': readFileSync(STRANGER, 'utf8') });
    const calls = [
      reply.call('run_command', { command: `node stranger.cjs ${port}` }),
      reply.call('run_command', { command: `node stranger.cjs ${new URL(service.url).port}` }),
    ];
    const policy = { sandbox: { network: 'host' }, tools: [{ tool: '*', decision: 'allow' }] };
    const { results } = await service.play(calls, { workspace: { path: folder }, policy });
    expect(results[0]).toMatch(/^0$/m);
    expect(results[1]).toMatch(/^[1-9]\d*$/m);
    return 1;
  },
  'TMP-4': async () => {
    if (whyOpen !== null) return 'no network of its own';
    const mine = execFileSync('ps', ['-eo', 'pid,args'])
      .toString()
      .split('\n')
      .filter(
        (line) =>
          line.includes(service.home) && /temporal\S* server/.test(line) && !/bwrap/.test(line),
      )
      .map((line) => line.trim().split(' ')[0] ?? '');
    expect(mine.length).toBeGreaterThan(0);
    const network = (of: string) => readlinkSync(`/proc/${of}/ns/net`);
    for (const pid of mine) expect(network(pid)).not.toBe(network('self'));
    expect(bytes('timeout', '5', process.execPath, STRANGER, port)).toBe(0);
    return mine.length + 1;
  },
  'TMP-5': async () => {
    const before = (await goals.world.database`SELECT 1 FROM goal`).length;
    await raw.workflow.start('goalWorkflow', {
      workflowId: 'goal:g-00000000000000ff:1',
      taskQueue: goals.world.queues.goals,
      args: [{ goalId: 'g-00000000000000ff', epoch: 1 }],
    });
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect((await goals.world.database`SELECT 1 FROM goal`).length).toBe(before);
    expect(
      goals.world.model.requests.some(({ messages }) => JSON.stringify(messages).includes('00ff')),
    ).toBe(false);
    return 1;
  },
  'TMP-6': async () =>
    (await refused('order', ['plain'], payload(complete))) +
    (await refused('mutate', ['plain'], payload(complete))),
  'TMP-7': async () => {
    const goalId = await asking();
    for (const name of ['family', 'workspaceFree', 'complete', 'wake'])
      await signal(goalId, name, payload(complete));
    await toldOf(goalId);
    await untouched(goalId);
    return 4;
  },
  'TMP-8': async () =>
    (await refused('order', ['forged', 'key'], sealed(randomBytes(200)))) +
    (await refused('urgentOrder', ['forged', 'key'], sealed(Buffer.alloc(0)))),
  'TMP-9': async () => {
    const goalId = await asking();
    const { address } = goals.world.temporal;
    const own = sealedConverter(temporalKeys(['a-key-of-somebody-else-0000'], '/nonexistent'), {
      is: 'client',
    });
    const stranger = new Client({
      connection: await Connection.connect({ address }),
      namespace: namespace(),
      dataConverter: own,
    });
    const outcome = await stranger.workflow
      .getHandle(of(goalId).workflowId)
      .executeUpdate('order', { args: [randomUUID()], updateId: randomUUID() })
      .then(
        () => 'accepted',
        () => 'refused',
      );
    await stranger.connection.close();
    expect(outcome).toBe('refused');
    await toldOf(goalId);
    await untouched(goalId);
    return 1;
  },
  'TMP-10': async () => {
    const goalId = await asking();
    for (const one of await recorded(goalId)) await update(goalId, 'order', one);
    await untouched(goalId);
    return 1;
  },
  'TMP-11': async () => {
    const from = await asking();
    await goals.send(from, 'messages', { text: 'Paint it green.', delivery: 'pause' });
    const to = await asking();
    const all = await recorded(from);
    for (const one of all) expect(await update(to, 'order', one)).not.toBe('accepted');
    expect(await toldOf(to)).toContain('forged');
    await untouched(to);
    return all.length;
  },
  'TMP-12': async () => {
    const goalId = await asking();
    await update(goalId, 'order', sealed(randomBytes(1_500_000)));
    await update(goalId, 'order', payload('x'.repeat(1_500_000)));
    await untouched(goalId);
    return 2;
  },
  'TMP-13': async () => {
    const goalId = await asking();
    await update(
      goalId,
      'order',
      sealed(randomBytes(60), 'x\n{"level":30,"msg":"all is well"}\u001b[2J'),
    );
    await toldOf(goalId);
    const rows = await goals.world.database<
      { row: string }[]
    >`SELECT data::text AS row FROM event WHERE goal_id = ${goalId} AND type = 'security.refused'`;
    for (const { row } of rows) expect(/\p{Cc}/u.test(row)).toBe(false);
    await untouched(goalId);
    return 1;
  },
  'TMP-14': async () => {
    const goalId = await asking();
    for (const name of [
      '',
      'nothing',
      '__temporal_x',
      'constructor',
      '__proto__',
      'x'.repeat(900),
    ]) {
      await update(goalId, name);
      await signal(goalId, name || 'x').catch(() => undefined);
    }
    await untouched(goalId);
    return 12;
  },
  'TMP-15': async () => {
    const before = goals.world.model.requests.length;
    await insider.workflow
      .start('goalWorkflow', {
        workflowId: 'goal:g-00000000000000fe:1',
        taskQueue: goals.world.queues.goals,
        args: [{ goalId: 'g-00000000000000fe', epoch: 1 }],
      })
      .catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(goals.world.model.requests.length).toBe(before);
    return 1;
  },
  'TMP-16': async () => {
    const goalId = await asking();
    for (const given of [randomUUID(), complete, 'x'.repeat(100_000), null])
      expect(await insiderUpdate(goalId, 'order', given)).toBe('refused');
    expect(await toldOf(goalId)).toContain('no_order');
    await untouched(goalId);
    return 4;
  },
  'TMP-17': async () => {
    const [from, to] = [await asking(), await asking()];
    await goals.send(from, 'messages', { text: 'Paint it green.', delivery: 'pause' });
    const orders = await goals.world.database<
      { id: string }[]
    >`SELECT commit_id AS id FROM goal_order WHERE goal_id = ${from}`;
    expect(orders.length).toBeGreaterThan(0);
    for (const { id } of orders) expect(await insiderUpdate(to, 'order', id)).toBe('refused');
    expect(await toldOf(to)).toEqual(['no_order']);
    await untouched(to);
    return orders.length;
  },
  'TMP-18': async () => {
    const folder = await goals.world.workspace({});
    const order = {
      checkId: randomUUID(),
      workspace: 'x',
      taskQueue: goals.world.queues.workspacesOf(hostname()),
      criterion: { kind: 'command', command: `touch ${folder}/owned` },
      network: 'host',
    };
    for (const client of [raw, insider]) {
      await client.workflow
        .execute('tryCheckWorkflow', {
          workflowId: `check:${randomUUID()}`,
          taskQueue: goals.world.queues.goals,
          args: [order],
          workflowExecutionTimeout: '20s',
        })
        .catch(() => undefined);
    }
    expect(existsSync(join(folder, 'owned'))).toBe(false);
    return 2;
  },
  'TMP-19': async () => {
    const goalId = await asking();
    const { database } = goals.world;
    const commitId = randomUUID();
    // Both rows by somebody who writes to the database, with the digest that needs no key.
    const request = { text: 'Delete all.' };
    await database`
      INSERT INTO request (principal, route, key, body_hash, body, commit_id, goal_id)
      VALUES ('Mallory', 'POST /', ${commitId}, '', ${database.json(request)}, ${commitId}, ${goalId})`;
    const body = { kind: 'complete' };
    const ordered = { goalId, commitId, role: 'admin', by: 'Mallory', body, request };
    await database`
      INSERT INTO goal_order (goal_id, commit_id, kind, body, role, ordered_by, sha256)
      VALUES (${goalId}, ${commitId}, 'complete', ${database.json(body)}, 'admin', 'Mallory',
        ${orderSeal(null, ordered)})`;
    expect(await insiderUpdate(goalId, 'order', commitId)).toBe('refused');
    expect(await toldOf(goalId)).toContain('altered');
    await untouched(goalId);
    return 1;
  },
  'TMP-20': async () => {
    const goalId = await asking();
    const history = JSON.stringify(
      await raw.workflow.getHandle(of(goalId).workflowId).fetchHistory(),
      (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value),
    );
    for (const word of [WORD, 'gazebo', 'answer.txt', '/tmp/']) expect(history).not.toContain(word);
    return 4;
  },
  'TMP-21': async () => {
    const goalId = await asking();
    const description = await raw.workflow.getHandle(of(goalId).workflowId).describe();
    const text = JSON.stringify(description.raw, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    for (const word of [WORD, 'gazebo', 'answer.txt']) expect(text).not.toContain(word);
    return 2;
  },
  'TMP-22': async () => {
    const goalId = await asking();
    for (const name of [
      '__stack_trace',
      '__enhanced_stack_trace',
      '__temporal_workflow_metadata',
      'state',
      'goal',
    ]) {
      const answer = await raw.workflow
        .getHandle(of(goalId).workflowId)
        .query(name)
        .catch((error: Error) => error.message);
      for (const word of [WORD, 'gazebo', 'answer.txt'])
        expect(JSON.stringify(answer)).not.toContain(word);
    }
    return 5;
  },
  'TMP-23': async () => 'played by test/workflows/sealed-payloads.test.ts (SEC-6)',
  'TMP-24': async () => {
    await service.call('POST /v1/goals', {
      body: {
        objective: `nobody: about ${WORD}`,
        criteria: [{ kind: 'file', path: 'never.txt', exists: true }],
        workspace: { name: 'shop' },
      },
    });
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const files = readdirSync(service.home).filter((name) => /^temporal/.test(name));
    for (const name of files)
      expect([name, readFileSync(join(service.home, name)).includes(WORD)]).toEqual([name, false]);
    return files.length;
  },
  'TMP-25': async () => {
    const goalId = await asking();
    await raw.workflow.getHandle(of(goalId).workflowId).terminate();
    await untouched(goalId);
    return 1;
  },
  'TMP-26': async () => {
    const goalId = await asking();
    for (let n = 0; n < 20; n += 1)
      await Promise.all(
        Array.from({ length: 10 }, () => update(goalId, 'order', payload(complete))),
      );
    await untouched(goalId);
    return 200;
  },
  'TMP-27': async () => 'played by test/workflows/sealed-payloads.test.ts (SEC-20)',
});

/** What others told Temporal of it, as it lies there. */
async function recorded(goalId: string): Promise<Payload[]> {
  const { events } = await raw.workflow.getHandle(of(goalId).workflowId).fetchHistory();
  return (events ?? []).flatMap((event) => [
    ...(event.workflowExecutionStartedEventAttributes?.input?.payloads ?? []),
    ...(event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.args
      ?.payloads ?? []),
  ]) as Payload[];
}
