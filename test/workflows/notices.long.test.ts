import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Approval } from '../../schema/approval.ts';
import type { Notification } from '../../schema/notify.ts';
import type { SecurityEntry } from '../../schema/security-log.ts';
import type { ApprovalLink } from '../../src/contract/notices.ts';
import type { Page } from '../../src/contract/reads.ts';
import { readInstallation } from '../../src/store/installation.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { approvalLinks, signLink } from '../../src/webhooks/approval-link.ts';
import { type Caller, identities } from '../api/identities.ts';
import { MAIL_PASSWORD, MAIL_USER, type MailServer, startMail } from '../support/mail-server.ts';
import { type SlackServer, startSlack } from '../support/slack-server.ts';
import { answerExists, claim, openApprovalWorld, write } from './approval-world.ts';
import { waitUntil } from './helpers.ts';

const KEY = 'a-key-of-the-service-of-notices';
const PUBLIC = 'https://goals.example.com';
const COMMAND = 'rm -rf src # <!channel> @here *b*';
const scripts = {
  removes: sequence([
    reply.call('run_command', { command: COMMAND }),
    write('answer.txt'),
    claim(),
  ]),
};

let slack: SlackServer;
let mail: MailServer;
let the: Awaited<ReturnType<typeof openApprovalWorld>>;
let installation: string;
let ann: Caller;
beforeAll(async () => {
  slack = await startSlack();
  mail = await startMail();
  process.env.GOALKEEPER_NOTIFY_SLACK_TEST = slack.url;
  const [user, password] = [MAIL_USER, MAIL_PASSWORD].map(encodeURIComponent);
  the = await openApprovalWorld(scripts, {
    environment: {
      GOALKEEPER_ALLOWED_ADDRESSES: '127.0.0.1',
      GOALKEEPER_APPROVERS: 'others',
      GOALKEEPER_LEDGER_KEY: KEY,
      GOALKEEPER_PUBLIC_URL: `${PUBLIC}/`,
      GOALKEEPER_SMTP_URL: `smtp://${user}:${password}@127.0.0.1:${mail.port}`,
      GOALKEEPER_MAIL_FROM: 'goals@example.com',
      GOALKEEPER_NOTIFY: JSON.stringify([
        { slack: 'team', urlEnv: 'GOALKEEPER_NOTIFY_SLACK_TEST', as: 'ada' },
        { mailto: 'ben@example.com', events: ['approval'], as: 'ben' },
        { mailto: 'all@example.com' },
      ]),
    },
  });
  installation = await readInstallation(the.world.database);
  const { as, make } = identities(the.world);
  await make({ name: 'ada', role: 'operator' });
  await make({ name: 'ben', role: 'operator' });
  await make({ name: 'vera', role: 'viewer' });
  ann = as((await make({ name: 'ann', role: 'operator' })).token);
});
afterAll(async () => {
  await the.world.close();
  await mail.close();
  slack.close();
});

interface Waiting {
  readonly goalId: string;
  readonly approval: Approval;
  /** Ada's link, as Slack has it. */
  readonly link: string;
}

let goals = 0;
async function waitsForApproval(): Promise<Waiting> {
  goals += 1;
  const objective = `removes: <!channel> & *b* ${goals}\nBcc: eve@example.com`;
  const workspace = { path: await the.world.workspace({ 'src/a.txt': 'a\n' }) };
  const { body } = await ann('POST /v1/goals', { objective, criteria: [answerExists], workspace });
  const { goalId } = body;
  const approval = await the.asked(goalId);
  const link = await waitUntil(() =>
    linkIn(
      slack.taken.map((one) => JSON.stringify(one)),
      goalId,
    ),
  );
  return { goalId, approval, link };
}

/** Of the texts about this goal, the link that decides. */
function linkIn(texts: readonly string[], goalId: string): string | undefined {
  const text = texts.find((one) => one.includes(goalId) && one.includes('/decide?link='));
  return text === undefined ? undefined : /decide\?link=([\w.-]+)/.exec(text)?.[1];
}

const mailTo = (address: string, goalId: string) =>
  waitUntil(() => mail.mails.find(({ to, raw }) => to.includes(address) && raw.includes(goalId)));

const look = async (link: string) => {
  const answer = await fetch(`${the.world.url}/decide?link=${link}`);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const decide = async (link: string, decision: string, note = '') => {
  const body = new URLSearchParams({ link, decision, note });
  const answer = await fetch(`${the.world.url}/decide`, { method: 'POST', body });
  return { status: answer.status, text: await answer.text() };
};
const stateOf = async ({ goalId, approval }: Waiting) =>
  (await the.approvals(goalId, 'all')).find(({ approvalId }) => approvalId === approval.approvalId);
const logged = async (what: string, goalId: string) => {
  const path = `/v1/security-log?what=${what}&limit=200`;
  const { items } = await the.world.client.get<Page<SecurityEntry>>(path);
  return items.filter(({ subject }) => subject === goalId);
};
const claimsOf = (link: string) =>
  approvalLinks(ledgerKeys([KEY]), installation).read(link) as ApprovalLink;
const signed = (link: string, more: Partial<ApprovalLink>) =>
  signLink(ledgerKeys([KEY]), installation, { ...claimsOf(link), ...more }) ?? '';

describe('an approval that waits', () => {
  test('is told to Slack and by e-mail, with a link for whom the operator named alone (NOTE-10)', async () => {
    const waiting = await waitsForApproval();
    const { goalId } = waiting;
    expect(claimsOf(waiting.link)).toMatchObject({ goalId, as: 'ada' });
    expect(claimsOf(waiting.link).expiresAt - Date.now()).toBeLessThanOrEqual(24 * 3_600_000);
    const toBen = await mailTo('ben@example.com', goalId);
    expect(claimsOf(linkIn([toBen.body], goalId) ?? '')).toMatchObject({ as: 'ben' });
    const toAll = await mailTo('all@example.com', goalId);
    expect(toAll.body).not.toContain('/decide');
    expect(toAll.body).toContain(`${PUBLIC}/goals/${goalId}`);
    expect(toAll.headers.references).toBe(toBen.headers.references);
    expect(toAll.headers).not.toHaveProperty('bcc');
    expect(slack.refused).toEqual([]);
    await decide(waiting.link, 'deny');
  });

  test('changes nothing when its link is looked at; its page decides once, as that person (NOTE-11)', async () => {
    const waiting = await waitsForApproval();
    const pages = await Promise.all([1, 2, 3].map(() => look(waiting.link)));
    for (const { status, text, headers } of pages) {
      expect(status).toBe(200);
      expect(text).toContain('rm -rf src # &#60;!channel&#62; @here');
      expect(text).not.toContain('<script');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'nonce-/,
      );
    }
    expect((await stateOf(waiting))?.state).toBe('open');
    expect(await decide(waiting.link, 'approve')).toMatchObject({ status: 200 });
    expect(await stateOf(waiting)).toMatchObject({ state: 'approved', decidedBy: 'ada' });
    const again = await decide(waiting.link, 'deny');
    expect(again).toMatchObject({ status: 409, text: expect.stringContaining('ada approved it') });
    expect(await look(waiting.link)).toMatchObject({ status: 409 });
    expect(await stateOf(waiting)).toMatchObject({ state: 'approved', decidedBy: 'ada' });
    const { goalId } = waiting;
    await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(await logged('link_used', goalId)).toMatchObject([
      { who: 'ada', result: 'done', data: { decision: 'approve', as: 'ada' } },
    ]);
    expect((await logged('link_refused', goalId)).map(({ data }) => data.code)).toEqual([
      'decided',
      'decided',
    ]);
    const told = await waitUntil(() =>
      mail.mails.find(({ body }) => body.includes(goalId) && body.includes('is complete')),
    );
    expect(told.to).toEqual(['all@example.com']);
  });

  test('is decided once where two people decide at the same moment (NOTE-12)', async () => {
    const waiting = await waitsForApproval();
    const bens = linkIn([(await mailTo('ben@example.com', waiting.goalId)).body], waiting.goalId);
    const answers = await Promise.all([
      decide(waiting.link, 'approve'),
      decide(bens ?? '', 'deny', 'Keep it.'),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [who, state] = answers[0]?.status === 200 ? ['ada', 'approved'] : ['ben', 'denied'];
    expect(await stateOf(waiting)).toMatchObject({ state, decidedBy: who });
    expect(await logged('link_used', waiting.goalId)).toMatchObject([{ who }]);
    expect(await logged('link_refused', waiting.goalId)).toHaveLength(1);
  });
});

describe('a link decides nothing', () => {
  let waiting: Waiting;
  beforeAll(async () => {
    waiting = await waitsForApproval();
  });
  const stays = async () => expect((await stateOf(waiting))?.state).toBe('open');

  test('once it has expired (NOTE-13)', async () => {
    const late = signed(waiting.link, { expiresAt: Date.now() - 1 });
    expect(await look(late)).toMatchObject({
      status: 410,
      text: expect.stringContaining('expired'),
    });
    expect(await decide(late, 'approve')).toMatchObject({ status: 410 });
    await stays();
  });

  test('for another question than it was made for (NOTE-13)', async () => {
    const other = await waitsForApproval();
    const { approvalId } = other.approval;
    for (const more of [{ approvalId }, { asked: 'another' }, { goalId: other.goalId }])
      expect((await decide(signed(waiting.link, more), 'approve')).status).toBe(409);
    await stays();
    expect((await stateOf(other))?.state).toBe('open');
    await decide(other.link, 'deny');
  });

  test.each(['vera', 'nobody', 'oidc:eve@example.com'])(
    'for %s, who may not decide, and tells nothing of the goal (NOTE-14)',
    async (as) => {
      const link = signed(waiting.link, { as });
      const page = await look(link);
      expect(page.status).toBe(403);
      expect(page.text).not.toContain('rm -rf');
      expect((await decide(link, 'deny')).status).toBe(403);
      await stays();
    },
  );

  test('that approves for whoever started the goal (NOTE-14)', async () => {
    const link = signed(waiting.link, { as: 'ann' });
    const page = await look(link);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('value="approve"');
    expect(await decide(link, 'approve')).toMatchObject({ status: 403 });
    await stays();
  });

  test('once the token that it names was revoked (NOTE-14)', async () => {
    const { make } = identities(the.world);
    await make({ name: 'cleo', role: 'operator' });
    const link = signed(waiting.link, { as: 'cleo' });
    expect((await look(link)).status).toBe(200);
    await the.world.client.send('DELETE', '/v1/tokens/cleo', {});
    expect((await decide(link, 'approve')).status).toBe(403);
    await stays();
  });

  test('by another answer, a query, or another method than the form’s (NOTE-15)', async () => {
    expect((await decide(waiting.link, 'always')).status).toBe(400);
    const url = `${the.world.url}/decide?link=${waiting.link}&decision=approve`;
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) await fetch(url, { method });
    expect((await fetch(url, { method: 'POST' })).status).toBe(404);
    await stays();
  });

  test('once the goal went on without a decision (NOTE-15)', async () => {
    await the.send(waiting.goalId, 'pause');
    const answer = await decide(waiting.link, 'approve');
    expect(answer).toMatchObject({ status: 409, text: expect.stringContaining('went on') });
    expect((await stateOf(waiting))?.state).toBe('superseded');
  });
});

test('a notice that Slack refuses at first comes later, and one that is sent again by e-mail has its id (NOTE-16)', async () => {
  slack.failures.push('removes: later');
  const workspace = { path: await the.world.workspace({}) };
  const goal = { objective: 'removes: later', criteria: [answerExists], workspace };
  const { body } = await ann('POST /v1/goals', goal);
  const { goalId } = body;
  const path = `/v1/goals/${goalId}/notifications`;
  const told = async () => (await the.world.client.get<Page<Notification>>(path)).items[0];
  const delivery = async (url: string) => (await told())?.deliveries.find((one) => one.url === url);
  const arrived = await waitUntil(async () => {
    await the.world.database`
      UPDATE delivery SET next_at = now() WHERE goal_id = ${goalId} AND last_status = 500`;
    const found = await delivery('slack:team');
    return found?.state === 'delivered' ? found : null;
  });
  expect(arrived).toMatchObject({ lastStatus: 200, attempts: 2 });
  expect(slack.failures).toEqual([]);
  await waitUntil(async () => (await delivery('mailto:all@example.com'))?.state === 'delivered');
  const { notificationId = '' } = (await told()) ?? {};
  await the.world.client.send('POST', `${path}/${notificationId}/resend`, {});
  const both = await waitUntil(() => {
    const mails = mail.mails.filter(
      ({ to, raw }) => to[0] === 'all@example.com' && raw.includes(goalId),
    );
    return mails.length === 2 ? mails : null;
  });
  expect(both[0]?.headers['message-id']).toBe(both[1]?.headers['message-id']);
  const shown = JSON.stringify(await told());
  expect(shown).not.toContain('a-secret-of-the-channel');
  await the.send(goalId, 'clear');
});

test('links that nobody made are guesses, and too many of them are turned away (NOTE-17)', async () => {
  const waiting = await waitsForApproval();
  const guess = (index: number) => look(`${waiting.link.slice(0, -4)}A${index + 100}`);
  const answers: number[] = [];
  while (answers.at(-1) !== 429 && answers.length < 41)
    answers.push((await guess(answers.length)).status);
  expect(answers.slice(0, -1).every((status) => status === 404)).toBe(true);
  expect(answers.at(-1)).toBe(429);
  // Whether it was right is told to nobody who guesses.
  expect(await decide(waiting.link, 'approve')).toMatchObject({ status: 429 });
  expect((await stateOf(waiting))?.state).toBe('open');
  const { items } = await the.world.client.get<Page<SecurityEntry>>(
    '/v1/security-log?what=link_refused&limit=200',
  );
  const codes = items.filter(({ subject }) => subject === '/decide').map(({ data }) => data.code);
  expect(new Set(codes)).toEqual(new Set(['altered', 'rate_limited']));
  expect(JSON.stringify(items)).not.toContain(waiting.link.split('.')[1]);
});
