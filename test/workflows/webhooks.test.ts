import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { Notification } from '../../schema/notify.ts';
import { createClient } from '../../src/cli/client.ts';
import type { Page } from '../../src/contract/reads.ts';
import { noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createDeliveryStore } from '../../src/store/notices/deliveries.ts';
import { signedHeaders } from '../../src/webhooks/sign.ts';
import { giveTo, TOKENS } from '../support/goal-world.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { answerExists, claim, openApprovalWorld, problemOf, write } from './approval-world.ts';
import { waitUntil } from './helpers.ts';

const SECRET = 'a-secret-of-the-goal';
const SERVICE_SECRET = 'whsec_c2VydmljZS1zZWNyZXQtb2YtdGVzdHM=';
const finish = [write('answer.txt'), claim()];

const scripts = {
  asks: sequence([reply.call('ask_user', { question: 'Which?', options: ['a', 'b'] }), ...finish]),
  blocked: sequence([reply.call('report_blocker', { kind: 'external', blocker: 'No access.' })]),
  removes: sequence([reply.call('run_command', { command: 'rm -rf src' }), ...finish]),
  writes: sequence(finish),
  talks: sequence([reply.call('list_files', {})]),
};

let receiver: Receiver;
let the: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  receiver = await startReceiver();
  process.env.GOALKEEPER_NOTIFY_TEST = SERVICE_SECRET;
  the = await openApprovalWorld(scripts, {
    environment: {
      GOALKEEPER_ALLOWED_ADDRESSES: '127.0.0.1',
      GOALKEEPER_LEDGER_KEY: 'a-key-of-the-service',
      GOALKEEPER_NOTIFY: JSON.stringify([
        {
          url: `${receiver.url}/service`,
          secretEnv: 'GOALKEEPER_NOTIFY_TEST',
          events: ['complete'],
        },
      ]),
    },
  });
});
afterAll(async () => {
  await the.world.close();
  receiver.close();
});

let paths = 0;
/** A path of its own for each goal. */
function target(more: object = {}) {
  paths += 1;
  const path = `/goal-${paths}`;
  return { path, notify: [{ url: `${receiver.url}${path}`, secret: SECRET, ...more }] };
}
const at = (path: string) => receiver.received.filter((one) => one.path === path);
const dataOf = ({ body }: Received) => JSON.parse(body) as { type: string; data: object };
const arrived = (path: string, type: string) =>
  waitUntil(() => at(path).find((one) => dataOf(one).type === type));
const notifications = async (goalId: string) =>
  (await the.world.client.get<Page<Notification>>(`/v1/goals/${goalId}/notifications`)).items;
const criteria = [answerExists];

describe('each time that a goal begins to wait', () => {
  test('a question is told with its options, and the completion that follows', async () => {
    const { path, notify } = target();
    const { goalId } = await the.open('asks', { criteria, notify });
    const asked = await arrived(path, 'goal.question');
    const { pause } = await the.world.get(goalId);
    expect(dataOf(asked).data).toMatchObject({
      goalId,
      status: 'paused',
      reason: 'question',
      question: { questionId: pause?.questionId, text: 'Which?', options: ['a', 'b'] },
    });
    await the.send(goalId, 'answers', { questionId: pause?.questionId, option: 1 });
    expect(dataOf(await arrived(path, 'goal.complete')).data).toMatchObject({
      completion: { source: 'explicit', verification: 'verified' },
    });
    expect(at(path)).toHaveLength(2);
  });

  test('an approval is told with the call', async () => {
    const { path, notify } = target();
    const { goalId } = await the.open('removes', { criteria, notify });
    const approval = await the.asked(goalId);
    expect(dataOf(await arrived(path, 'goal.approval')).data).toMatchObject({
      approvals: [{ approvalId: approval.approvalId, kind: 'tool', question: approval.question }],
    });
    await the.send(goalId, 'clear');
  });

  test('a blocker, a pause and a used-up budget are told', async () => {
    const blocked = target();
    await the.open('blocked', { criteria, notify: blocked.notify });
    expect(dataOf(await arrived(blocked.path, 'goal.blocked')).data).toMatchObject({
      message: 'No access.',
    });
    const limited = target();
    await the.open('talks', { criteria, budget: { turns: 1 }, notify: limited.notify });
    await arrived(limited.path, 'goal.budget_limited');
    const paused = target();
    const { goalId } = await the.open('removes', { criteria, notify: paused.notify });
    await the.asked(goalId);
    await the.send(goalId, 'pause');
    expect(dataOf(await arrived(paused.path, 'goal.paused')).data).toMatchObject({
      reason: 'person',
    });
  });

  test('only what was asked for is sent, and to the service what it asks for', async () => {
    const { path, notify } = target({ events: ['question'] });
    const { goalId } = await the.open('writes', { criteria, notify });
    await the.world.until(goalId, ({ status }) => status === 'complete');
    await waitUntil(() => at('/service').some(({ body }) => body.includes(goalId)));
    expect(at(path)).toEqual([]);
  });
});

test('targets can be changed on the way; what is stored of them opens for nobody else', async () => {
  const first = target();
  const { goalId } = await the.open('asks', { criteria, notify: first.notify });
  await arrived(first.path, 'goal.question');
  const second = target();
  const amended = await the.world.client.send<Goal>('PATCH', `/v1/goals/${goalId}`, {
    notify: second.notify,
  });
  expect(JSON.stringify(amended)).not.toContain(SECRET);
  await the.send(goalId, 'complete', { result: 'Enough.' });
  const { headers, body } = await arrived(second.path, 'goal.complete');
  expect(headers['webhook-signature']).toBe(
    signedHeaders(
      String(headers['webhook-id']),
      body,
      SECRET,
      Number(headers['webhook-timestamp']) * 1000,
    )['webhook-signature'],
  );
  expect(at(first.path).map((one) => dataOf(one).type)).toEqual(['goal.question']);
  const stored = await the.world.database<{ notify: unknown; bodies: unknown }[]>`
    SELECT g.notify, (SELECT jsonb_agg(r.body) FROM request r WHERE r.goal_id = g.goal_id) AS bodies
    FROM goal g WHERE goal_id = ${goalId}`;
  expect(JSON.stringify(stored)).not.toContain(SECRET);
  expect(JSON.stringify(stored[0]?.notify)).toContain('"sealed:');
  const local = { url: 'https://10.1.2.3/x', secret: SECRET };
  const refused = the.world.client.send('PATCH', `/v1/goals/${goalId}`, { notify: [local] });
  expect((await problemOf(refused)).code).toBe('invalid_request');
});

test('what was delivered is forgotten after a while, what is still to be sent is not', async () => {
  const { path, notify } = target();
  const { goalId } = await the.open('blocked', { criteria, notify });
  await arrived(path, 'goal.blocked');
  const { database } = the.world;
  const store = createDeliveryStore(database, noKeys);
  const age = (days: number) => database`
    UPDATE notification SET created_at = now() - make_interval(days => ${days})
    WHERE goal_id = ${goalId}`;
  await waitUntil(
    async () => (await notifications(goalId))[0]?.deliveries[0]?.state === 'delivered',
  );
  await age(29);
  await store.prune(30);
  expect(await notifications(goalId)).toHaveLength(1);
  await age(31);
  await database`UPDATE delivery SET state = 'pending', next_at = now() + interval '1 day'
    WHERE goal_id = ${goalId}`;
  await store.prune(30);
  expect(await notifications(goalId)).toHaveLength(1);
  await database`UPDATE delivery SET state = 'delivered' WHERE goal_id = ${goalId}`;
  expect(await store.prune(30)).toBeGreaterThan(0);
  expect(await notifications(goalId)).toEqual([]);
  const left = await database`SELECT 1 FROM delivery WHERE goal_id = ${goalId}`;
  expect(left.count).toBe(0);
});

describe('a delivery', () => {
  test('is signed as docs/webhooks.md verifies it', async () => {
    const document = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
    const example = /```js\n([\s\S]*?)```/.exec(document)?.[1] ?? '';
    const { verify } = (await import(`data:text/javascript,${encodeURIComponent(example)}`)) as {
      verify: (headers: object, body: string, secret: string, now?: number) => boolean;
    };
    const { path, notify } = target();
    await the.open('blocked', { criteria, notify });
    const { headers, body } = await arrived(path, 'goal.blocked');
    expect(verify(headers, body, SECRET)).toBe(true);
    expect(verify(headers, `${body} `, SECRET)).toBe(false);
    expect(verify(headers, body, 'another-secret-000')).toBe(false);
    expect(verify(headers, body, SECRET, Date.now() + 600_000)).toBe(false);
    const [service] = at('/service');
    if (service !== undefined) {
      expect(verify(service.headers, service.body, SERVICE_SECRET)).toBe(true);
    }
  });

  test('is tried again under the same id, with the same body, and never holds up the goal', async () => {
    const { path, notify } = target();
    receiver.answers = (one) => (one.path === path && at(path).length === 1 ? 503 : 204);
    const { goalId } = await the.open('writes', { criteria, notify });
    await the.world.until(goalId, ({ status }) => status === 'complete');
    await waitUntil(() => at(path).length === 1);
    const failed = await waitUntil(async () =>
      (await notifications(goalId))[0]?.deliveries.find(({ lastStatus }) => lastStatus === 503),
    );
    expect(failed).toMatchObject({ state: 'pending', attempts: 1, lastError: 'answered 503' });
    await the.world.database`UPDATE delivery SET next_at = now() WHERE goal_id = ${goalId}`;
    await waitUntil(() => at(path).length === 2);
    const [first, second] = at(path);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    receiver.answers = () => 204;
  });

  test('is given up visibly, and sent again when a person wants it', async () => {
    const { path, notify } = target();
    receiver.answers = (one) => (one.path === path && at(path).length === 1 ? 410 : 204);
    const { goalId } = await the.open('blocked', { criteria, notify });
    const given = await waitUntil(async () =>
      (await notifications(goalId)).find(({ deliveries }) => deliveries[0]?.state === 'given_up'),
    );
    expect(await the.eventTypes(goalId)).toContain('notification.given_up');
    const resend = `/v1/goals/${goalId}/notifications/${given.notificationId}/resend`;
    const viewer = createClient({ url: the.world.url, token: TOKENS.viewer });
    expect((await problemOf(viewer.send('POST', resend, {}))).code).toBe('forbidden');
    await the.world.client.send('POST', resend, {});
    await waitUntil(async () => (await notifications(goalId))[0]?.deliveries[0]?.deliveredAt);
    expect(at(path).map(({ headers }) => headers['webhook-id'])).toEqual([
      given.notificationId,
      given.notificationId,
    ]);
    receiver.answers = () => 204;
  });

  test('shows no secret anywhere', async () => {
    const { path, notify } = target();
    const [one] = notify;
    const { goalId } = await the.open('blocked', {
      criteria,
      notify: [{ ...one, url: `${one?.url}?key=hidden-in-the-query` }],
    });
    await waitUntil(() => receiver.received.some(({ path: seen }) => seen.startsWith(`${path}?`)));
    const goal = await the.world.get(goalId);
    expect(goal.notify).toEqual([{ url: `${one?.url}?…` }]);
    const rows = await the.world.database`
      SELECT row_to_json(e)::text AS text FROM event e WHERE goal_id = ${goalId}
      UNION ALL SELECT row_to_json(r)::text FROM request r WHERE goal_id = ${goalId}`;
    const shown = JSON.stringify([goal, await notifications(goalId), rows]);
    expect(shown).not.toContain(SECRET);
    expect(JSON.stringify([goal, await notifications(goalId)])).not.toContain(
      'hidden-in-the-query',
    );
  });
});

test.each([
  ['viewer', '/…'],
  ['agent', '/…'],
  ['operator', ''],
] as const)('the role %s sees of a URL what it may: …%s', async (role, shown) => {
  const { path, notify } = target();
  const { goalId } = await the.open('blocked', { criteria, notify });
  await arrived(path, 'goal.blocked');
  if (role === 'agent') await giveTo(the.world, goalId, TOKENS.agent);
  const { get } = createClient({ url: the.world.url, token: TOKENS[role] });
  const url = `${receiver.url}${shown === '' ? path : shown}`;
  expect((await get<Goal>(`/v1/goals/${goalId}`)).notify).toEqual([{ url }]);
  const { items } = await get<Page<Goal>>('/v1/goals?limit=100');
  expect(items.find((one) => one.goalId === goalId)?.notify).toEqual([{ url }]);
  const sent = await get<Page<Notification>>(`/v1/goals/${goalId}/notifications`);
  expect(sent.items[0]?.deliveries).toMatchObject([{ url }]);
  expect(JSON.stringify([items, sent]).includes(path)).toBe(shown === '');
});

describe('targets that are refused', () => {
  const start = (target: object, token: string = TOKENS.admin) =>
    problemOf(
      createClient({ url: the.world.url, token }).send<Goal>('POST', '/v1/goals', {
        objective: 'writes: go',
        notify: [target],
      }),
    );

  test.each([
    'https://127.0.0.2/x',
    'https://169.254.169.254/x',
    'https://[::1]/x',
    'http://example.com/x',
    'https://user:pass@example.com/x',
    'ftp://example.com/x',
    'no url',
  ])('%s', async (url) => {
    expect(await start({ url, secret: SECRET })).toMatchObject({
      code: 'invalid_request',
      field: 'notify.0.url',
    });
  });

  test.each([
    [{}],
    [{ secret: SECRET, secretEnv: 'GOALKEEPER_NOTIFY_X' }],
    [{ secretEnv: 'OPENAI_API_KEY' }],
    [{ secret: 'short' }],
    [{ secret: 'whsec_c2hvcnQtc2VjcmV0' }],
    [{ secret: 'whsec_no base64 at all, but long' }],
    [{ secret: SECRET, events: ['everything'] }],
    [{ secret: SECRET, method: 'GET' }],
  ])('%j', async (more) => {
    const problem = await start({ url: 'https://example.com/x', ...more });
    expect(problem.code).toBe('invalid_request');
  });

  test('those of an agent', async () => {
    const problem = await start({ url: 'https://example.com/x', secret: SECRET }, TOKENS.agent);
    expect(problem).toMatchObject({ code: 'forbidden', field: 'notify' });
  });
});
