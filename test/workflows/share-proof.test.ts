import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { SecurityEntry } from '../../schema/security-log.ts';
import type { MadeToken } from '../../schema/token.ts';
import { createClient } from '../../src/cli/client.ts';
import { readInstallation } from '../../src/store/installation.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { signLink } from '../../src/webhooks/approval-link.ts';
import { proofLinks } from '../../src/webhooks/proof-link.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { problemOf } from './helpers.ts';

const KEY = 'a-key-of-the-links-to-proofs-000';
const OBJECTIVE = 'Answer <b>& "quote"</b>\u202E';

let world: GoalWorld;
beforeAll(async () => {
  const script = sequence([
    reply.call('write_file', { path: 'answer.txt', content: 'CONTENT-OF-THE-WORK\n' }),
    reply.call('attempt_completion', { result: 'It is <i>there</i>.' }),
  ]);
  world = await openGoalWorld({ script, environment: { GOALKEEPER_LEDGER_KEY: KEY } });
});
afterAll(() => world?.close());

const shared = (path: string) => fetch(`${world.url}${path}`, { redirect: 'manual' });
const links = async () => proofLinks(ledgerKeys([KEY]), await readInstallation(world.database));

async function proven() {
  const path = await world.workspace({ 'package.json': '{}\n' });
  const criteria = [{ kind: 'file', path: 'answer.txt', exists: true } as const];
  const { goalId } = await world.start({ objective: OBJECTIVE, workspace: { path }, criteria });
  await world.until(goalId, ({ status }) => status === 'complete');
  return goalId;
}

async function tokenOf(name: string) {
  const { token } = await world.client.send<MadeToken>('POST', '/v1/tokens', {
    ...{ name, role: 'operator' },
  });
  return createClient({ url: world.url, token });
}

const share = (goalId: string, client = world.client, days = 7) =>
  client.send<{ path: string; expiresAt: string }>('POST', `/v1/goals/${goalId}/proof/links`, {
    days,
  });

const logged = async (what: SecurityEntry['what'], goalId: string) =>
  (
    await world.client.get<{ items: SecurityEntry[] }>(`/v1/security-log?what=${what}`)
  ).items.filter(({ subject }) => subject === goalId);

test('PRF-15 a link shows the proof to whoever holds it, in letters alone, with no content of a file, and its opening is logged', async () => {
  const goalId = await proven();
  const made = await share(goalId);
  expect(Date.parse(made.expiresAt)).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  const answer = await shared(made.path);
  const html = await answer.text();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  expect(html).toContain('<h1>Verified</h1>');
  expect(html).toContain('Answer &#60;b&#62;&#38; &#34;quote&#34;&#60;/b&#62;&#60;U+202E&#62;');
  for (const never of ['<b>', '<i>there', '<script', 'CONTENT-OF-THE-WORK', '\u202E', 'http-equiv'])
    expect(html).not.toContain(never);
  expect(await logged('proof_shared', goalId)).toHaveLength(1);
  expect(await logged('proof_opened', goalId)).toMatchObject([{ who: null, result: 'done' }]);
});

test('PRF-15 a link that is altered, over, for another use, of another proof or of somebody who may not read the goal any more shows nothing of it', async () => {
  const goalId = await proven();
  const maker = await tokenOf('maker');
  const made = await share(goalId, maker);
  const text = await (await shared(made.path)).text();
  const head = /up to row \d+, ([\w.]+)</.exec(text)?.[1] ?? '';
  const { sign } = await links();
  const installation = await readInstallation(world.database);
  const claims = { goalId, head, as: 'maker', expiresAt: Date.now() + 60_000 };
  const path = (link: string | null) => `/proof?link=${link}`;
  const asked = { goalId, approvalId: head, asked: head, as: 'maker', expiresAt: claims.expiresAt };
  const cases: [status: number, path: string][] = [
    [200, path(sign(claims))],
    [404, `${made.path.slice(0, -1)}${made.path.endsWith('A') ? 'B' : 'A'}`],
    [404, '/proof'],
    [404, path(signLink(ledgerKeys([KEY]), installation, asked))],
    [404, path(proofLinks(ledgerKeys([KEY]), 'another').sign(claims))],
    [404, path(proofLinks(ledgerKeys(['another-key-0000000']), installation).sign(claims))],
    [404, path(sign({ ...claims, head: 'f'.repeat(64) }))],
    [403, path(sign({ ...claims, goalId: 'g-0000000000000000' }))],
    [403, path(sign({ ...claims, as: 'nobody' }))],
    [410, path(sign({ ...claims, expiresAt: Date.now() - 1 }))],
  ];
  for (const [status, link] of cases) {
    const answer = await shared(link);
    expect([answer.status, link]).toEqual([status, link]);
    if (status !== 200) expect(await answer.text()).not.toContain('Answer');
  }
  await world.client.send('DELETE', '/v1/tokens/maker', {});
  expect((await shared(made.path)).status).toBe(403);
  const own = await share(goalId);
  await world.client.send('POST', `/v1/goals/${goalId}/clear`, {});
  await world.until(goalId, ({ archivedAt }) => archivedAt !== undefined);
  expect((await shared(own.path)).status).toBe(404);
});

test('PRF-15 a goal without a proof, and a link of more than thirty days, are refused with the way out', async () => {
  const path = await world.workspace({ 'package.json': '{}\n' });
  const { goalId } = await world.start({ objective: 'Wait', workspace: { path } });
  expect(await problemOf(share(goalId))).toMatchObject({ code: 'invalid_transition' });
  expect(await problemOf(share(goalId, world.client, 31))).toMatchObject({
    ...{ code: 'invalid_request', field: 'days' },
  });
});
