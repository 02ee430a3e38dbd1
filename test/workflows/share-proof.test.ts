import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { StartGoal } from '../../schema/goal.ts';
import type { SecurityEntry } from '../../schema/security-log.ts';
import type { ProofLinkMade } from '../../schema/share-proof.ts';
import type { MadeToken } from '../../schema/token.ts';
import { createClient } from '../../src/cli/client.ts';
import { readInstallation } from '../../src/store/installation.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { signLink } from '../../src/webhooks/approval-link.ts';
import { proofLinks } from '../../src/webhooks/proof-link.ts';
import { start } from '../cli/command-line.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { problemOf } from './helpers.ts';

const KEY = 'a-key-of-the-links-to-proofs-000';
const OBJECTIVE = 'Answer <b>& "quote"</b>\u202E';

const ANSWERED = { kind: 'file', path: 'answer.txt', exists: true } as const;

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

async function proven(
  criteria: StartGoal['criteria'] = [ANSWERED],
  files = {},
  more: Partial<StartGoal> = {},
) {
  const path = await world.workspace({ 'package.json': '{}\n', ...files });
  const { goalId } = await world.start({
    objective: OBJECTIVE,
    workspace: { path },
    criteria,
    ...more,
  });
  const ended = await world.until(goalId, ({ status }) => status !== 'active');
  expect(ended).toMatchObject({ status: 'complete' });
  return goalId;
}

async function tokenOf(name: string) {
  const { token } = await world.client.send<MadeToken>('POST', '/v1/tokens', {
    ...{ name, role: 'operator' },
  });
  return createClient({ url: world.url, token });
}

const share = (goalId: string, client = world.client, days = 7) =>
  client.send<{ linkId: string; path: string; expiresAt: string }>(
    'POST',
    `/v1/goals/${goalId}/proof/links`,
    {
      days,
    },
  );

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
  const { linkId } = made;
  const claims = { linkId, goalId, head, as: 'maker', expiresAt: Date.now() + 60_000 };
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

/** Colours, markup, a secret of the service and more than is shown. */
const LOUD = [
  ...Array.from({ length: 900 }, (_, index) => `${index + 1}`),
  `last \u001B[31mred\u001B[0m <i>here</i> ${TOKENS.operator}\n`,
].join('\n');

test('PRF-16 the page has what the cited runs printed: masked, without colours, the end of it, and what was left out is told', async () => {
  const criteria = [{ kind: 'command', command: 'cat answer.txt loud.txt' } as const];
  const { path } = await share(await proven(criteria, { 'loud.txt': LOUD }));
  const html = await (await shared(path)).text();
  const outputs = [...html.matchAll(/<dd><pre>(.*?)<\/pre>/gs)].map(([, text]) => text ?? '');
  expect(outputs.length).toBeGreaterThan(0);
  for (const output of outputs) {
    expect(output).toMatch(/last red &#60;i&#62;here&#60;\/i&#62; \S+$/);
    expect(output).toContain('\n900\n');
    expect(output).not.toContain('\n100\n');
    expect(output.startsWith('… ')).toBe(true);
  }
  expect(html).toMatch(/The end of its output; [\d,]+ bytes before it are left out\./);
  expect(html).not.toContain(TOKENS.operator);
});

test('PRF-25 a proof leaves as one page that asks nobody for anything, with each of its parts', async () => {
  const requirements = [{ text: 'There is an answer.', criteria: ['c1'] }];
  const criteria = [{ kind: 'command', command: 'cat answer.txt' } as const];
  const goalId = await proven(criteria, {}, { requirements });
  const answer = await fetch(`${world.url}/v1/goals/${goalId}/proof?as=html`, {
    headers: { authorization: `Bearer ${TOKENS.viewer}` },
  });
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${goalId}.html"`);
  const html = await answer.text();
  expect(html).not.toMatch(/<(script|link|img|iframe|form)|\b(src|href)=|@import|url\(/);
  for (const part of [
    ...['Answer &#60;b&#62;&#38;', 'Requirements', 'checked by host', 'Criteria', 'unmet before'],
    ...['canaries', 'Files of the work', 'Scope', 'Receipts', 'CONTENT-OF-THE-WORK'],
    ...['Isolation', 'Cost', 'Tree proven', 'Ledger', 'goalkeeper proof verify'],
  ])
    expect(html, part).toContain(part);
  expect(html).not.toContain('The link works until');
  // Whoever has a link sees the same.
  const { path } = await share(goalId);
  const linked = await (await shared(path)).text();
  const bodyOf = (page: string) =>
    page.slice(page.indexOf('<main>')).replace(/<p>The link works until [^<]*<\/p>/, '');
  expect(bodyOf(linked)).toBe(bodyOf(html));

  const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-page-'));
  const out = join(folder, 'proof.html');
  const environment = { GOALKEEPER_URL: world.url, GOALKEEPER_TOKEN: TOKENS.viewer };
  const exported = await start(['proof', 'export', goalId, '--html', '--out', out], environment)
    .done;
  expect([exported.exitCode, exported.out]).toEqual([0, `${out}: ${goalId}, a page to read\n`]);
  expect(bodyOf(await readFile(out, 'utf8'))).toBe(bodyOf(html));
});

test('PRF-16 nothing is shown of a proof of which an output is not what its receipt says', async () => {
  const goalId = await proven([{ kind: 'command', command: 'cat answer.txt' }]);
  const { path } = await share(goalId);
  expect(await (await shared(path)).text()).toContain('CONTENT-OF-THE-WORK');
  await world.database`
    DELETE FROM output_chunk WHERE ref IN (
      SELECT output_ref FROM ledger WHERE goal_id = ${goalId} AND output_ref IS NOT NULL)`;
  const answer = await shared(path);
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toContain('CONTENT-OF-THE-WORK');
});

test('PRF-17 one link is taken back, at once and for good, and the others go on', async () => {
  const goalId = await proven();
  const [first, second] = [await share(goalId), await share(goalId, world.client, 1)];
  const path = `/v1/goals/${goalId}/proof/links`;
  const listed = async () =>
    (await world.client.get<{ items: ProofLinkMade[] }>(path)).items.map((one) => [
      ...[one.linkId, one.state, one.takenBackBy],
    ]);
  expect(await listed()).toEqual([
    [second.linkId, 'open', null],
    [first.linkId, 'open', null],
  ]);
  const { name } = await world.client.get<{ name: string }>('/v1/session');
  for (const _ of ['once', 'again'])
    expect(await world.client.send('DELETE', `${path}/${first.linkId}`, {})).toMatchObject({
      ...{ linkId: first.linkId, state: 'taken_back', takenBackBy: name },
    });
  const answer = await shared(first.path);
  expect(answer.status).toBe(410);
  expect(await answer.text()).not.toContain('Answer');
  expect((await shared(second.path)).status).toBe(200);
  expect(await listed()).toEqual([
    [second.linkId, 'open', null],
    [first.linkId, 'taken_back', name],
  ]);
  expect(await logged('proof_unshared', goalId)).toMatchObject([
    { who: name, data: { linkId: first.linkId } },
  ]);
  const other = await proven();
  for (const wrong of [
    `${path}/${'0'.repeat(16)}`,
    `/v1/goals/${other}/proof/links/${second.linkId}`,
  ])
    expect(await problemOf(world.client.send('DELETE', wrong, {}))).toMatchObject({
      ...{ code: 'not_found', field: 'linkId' },
    });
});
