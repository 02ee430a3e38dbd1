import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MailSettings } from '../../src/contract/config.ts';
import { addressRules } from '../../src/net/addresses.ts';
import { createMasker } from '../../src/secrets/masker.ts';
import { ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { approvalLinks, signLink } from '../../src/webhooks/approval-link.ts';
import { mailMessage } from '../../src/webhooks/mail-message.ts';
import { type Notice, noticeOf } from '../../src/webhooks/notice.ts';
import { sendMail } from '../../src/webhooks/send-mail.ts';
import { slackMessage } from '../../src/webhooks/slack-message.ts';
import { MAIL_PASSWORD, MAIL_USER, type MailServer, startMail } from '../support/mail-server.ts';
import { type SlackMessage, slackProblem } from '../support/slack-server.ts';

const link = 'https://goals.example.com/decide?link=abc.DEF-_.ghi';

const noticeWith = (more: Partial<Notice>): Notice => ({
  ...{ notificationId: 'n-0123456789abcdef-7', goalId: 'g-0123456789abcdef' },
  ...{ at: '2026-01-02T03:04:05.000Z', title: 'A goal waits for an approval' },
  ...{ objective: 'Tidy up', texts: [], approvals: [], page: null },
  ...more,
});

const hostile = fc.stringMatching(/^[\s\S]{0,4000}$/).map((text) => `${text}<!channel>@here*b*`);

describe('a message to Slack', () => {
  test('is within what Slack takes, and reads no foreign word as a mark or a ping, whatever a goal says (NOTE-1)', () => {
    const approval = fc.record({ question: hostile, link: fc.constantFrom(null, link) });
    const told = fc.record({
      objective: hostile,
      texts: fc.array(hostile, { maxLength: 3 }),
      approvals: fc.array(approval, { maxLength: 30 }),
      page: fc.constantFrom(null, 'https://goals.example.com/goals/g-0123456789abcdef'),
    });
    fc.assert(
      fc.property(told, (more) => {
        const message = slackMessage(noticeWith(more)) as SlackMessage;
        expect(slackProblem(message)).toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  test('has links and no buttons, and says what it leaves out (NOTE-2)', () => {
    const many = Array.from({ length: 30 }, () => ({ question: '&'.repeat(4000), link }));
    const message = slackMessage(noticeWith({ approvals: many, page: link })) as SlackMessage;
    const texts = message.blocks.map(({ text }) => text.text);
    expect(slackProblem(message)).toBeNull();
    expect(texts).toContain(`<${link}|Look and decide>`);
    expect(texts.at(-1)).toBe(`<${link}|Open the goal>`);
    expect(texts.at(-2)).toMatch(/more than fits/);
    const few = slackMessage(noticeWith({ approvals: many.slice(0, 1) })) as SlackMessage;
    expect(JSON.stringify(few)).not.toMatch(/more than fits|"button"/);
  });
});

test('what hides or turns other words is named in notices (NOTE-3)', () => {
  const body = JSON.stringify({
    type: 'goal.approval',
    timestamp: '2026-01-02T03:04:05.000Z',
    data: {
      goalId: 'g-1',
      objective: 'one\r\nBcc: all@example.com',
      approvals: [{ approvalId: 'a', kind: 'tool', question: 'rm \u202Etxt.a' }],
    },
  });
  const ground = { notificationId: 'n-1-1', publicUrl: null, linkFor: () => null };
  const notice = noticeOf(body, ground) as Notice;
  const mail = mailMessage(notice, { from: 'goals@example.com', to: 'ada@example.com' });
  const message = slackMessage(notice) as SlackMessage;
  expect(mail.subject).toBe('A goal waits for an approval: one Bcc: all@example.com');
  for (const text of [mail.text, JSON.stringify(message)]) {
    expect(text).toContain('U+202E');
    expect(text).not.toContain('\u202E');
  }
});

test('a subject holds no words that a mail program decodes (NOTE-20)', () => {
  const objective = 'one =?utf-8?Q?=E2=80=AE?= two';
  const from = 'goals@example.com';
  const { subject } = mailMessage(noticeWith({ objective }), { from, to: 'ada@example.com' });
  expect(subject).not.toContain('=?');
});

describe('e-mail', () => {
  let server: MailServer;
  let tls: MailServer;
  let starting: MailServer;
  beforeAll(async () => {
    server = await startMail();
    // Both have a certificate that nobody vouches for.
    tls = await startMail({ secure: true });
    starting = await startMail({ disabledCommands: [] });
  });
  afterAll(() => Promise.all([server, tls, starting].map((one) => one.close())));

  const own = addressRules(['127.0.0.1']);
  const settings = (more: Partial<MailSettings> = {}): MailSettings => ({
    ...{ host: '127.0.0.1', port: server.port, isTls: false, isPlain: true },
    ...{ user: MAIL_USER, password: MAIL_PASSWORD, from: 'goals@example.com' },
    ...more,
  });
  const send = (
    notice: Notice,
    more: Partial<MailSettings> = {},
    rules = own,
    timeoutMs = 10_000,
  ) =>
    sendMail(mailMessage(notice, { from: 'goals@example.com', to: 'ada@example.com' }), {
      ...{ server: settings(more), addresses: rules, timeoutMs },
    });

  test('has a text and an HTML part, and no header or recipient from a goal’s words (NOTE-4)', async () => {
    const words = 'x\r\nBcc: all@example.com\r\n\r\n<script>alert(1)</script> äöü';
    const notice = noticeWith({ objective: words, approvals: [{ question: words, link }] });
    expect(await send(notice)).toEqual({ kind: 'answered', status: 250 });
    const [mail] = server.mails;
    expect(mail?.to).toEqual(['ada@example.com']);
    expect(mail?.headers).not.toHaveProperty('bcc');
    expect(mail?.headers['content-type']).toMatch(/^multipart\/alternative/);
    expect(mail?.headers).toMatchObject({
      to: 'ada@example.com',
      from: 'goals@example.com',
      'message-id': expect.stringMatching(/^<n-0123456789abcdef-7\.[0-9a-f]{16}@example\.com>$/),
      references: '<g-0123456789abcdef@example.com>',
      'auto-submitted': 'auto-generated',
    });
    const html = mail?.body.slice(mail.body.indexOf('<!doctype html>'));
    expect(html).toContain(`href="${link}"`);
    expect(html).not.toContain('<script>');
    expect(mail?.body.slice(0, mail.body.indexOf('<!doctype html>'))).toContain(link);
  });

  test('a second one of the same delivery has the same id, another recipient’s has not (NOTE-5)', () => {
    const idFor = (to: string) =>
      mailMessage(noticeWith({}), { from: 'goals@example.com', to }).messageId;
    expect(idFor('ada@example.com')).toBe(idFor('ADA@example.com'));
    expect(idFor('ada@example.com')).not.toBe(idFor('ben@example.com'));
  });

  test.each([
    ['TLS', () => ({ port: tls.port, isTls: true, isPlain: false })],
    ['STARTTLS', () => ({ port: starting.port, isPlain: false })],
    ['a server without STARTTLS', () => ({ port: server.port, isPlain: false })],
  ])('nothing is sent over %s that shows no certificate that counts (NOTE-6)', async (_, more) => {
    const before = server.mails.length;
    expect(await send(noticeWith({}), more())).not.toMatchObject({ status: 250 });
    expect([tls.mails, starting.mails]).toEqual([[], []]);
    expect(server.mails).toHaveLength(before);
  });

  test('a wrong password, an address that is not allowed and silence are failures without its words (NOTE-7)', async () => {
    expect(await send(noticeWith({}), { password: 'wrong' })).toEqual({
      kind: 'answered',
      status: 535,
    });
    expect(await send(noticeWith({}), {}, addressRules([]))).toEqual({
      kind: 'failed',
      error: 'it leads to an address that is not allowed',
    });
    const silent = await startMail({ onConnect: () => {} });
    expect(await send(noticeWith({}), { port: silent.port }, own, 200)).toEqual({
      kind: 'failed',
      error: 'no answer within 200 ms',
    });
    await silent.close();
  });
});

describe('the link of an approval', () => {
  const claims = {
    ...{
      goalId: 'g-1',
      approvalId: 'a-1',
      asked: 'digest',
      as: 'ada',
      expiresAt: 1_800_000_000_000,
    },
  };
  const keys = ledgerKeys(['a-key-of-the-service', 'a-former-key-of-it']);
  const signed = signLink(keys, 'here', claims) ?? '';

  test('says what it grants, to the installation and under the keys that made it (NOTE-8)', () => {
    expect(approvalLinks(keys, 'here').read(signed)).toEqual(claims);
    expect(approvalLinks(keys, 'elsewhere').read(signed)).toBeNull();
    expect(approvalLinks(ledgerKeys(['another-key-of-others']), 'here').read(signed)).toBeNull();
    const rotated = ledgerKeys(['a-newer-key-of-the-service', 'a-key-of-the-service']);
    expect(approvalLinks(rotated, 'here').read(signed)).toEqual(claims);
    expect(signLink(noKeys, 'here', claims)).toBeNull();
    expect(approvalLinks(noKeys, 'here').read(signed)).toBeNull();
  });

  test('is none once any of its signs is another one (NOTE-8)', () => {
    const { read } = approvalLinks(keys, 'here');
    const sign = fc.constantFrom(...'abcXYZ019-_.=%');
    fc.assert(
      fc.property(fc.nat(signed.length - 1), sign, (at, other) => {
        const altered = signed.slice(0, at) + other + signed.slice(at + 1);
        expect(read(altered)).toEqual(altered === signed ? claims : null);
      }),
      { numRuns: 2000 },
    );
    for (const text of ['', '.', '..', `${signed}.`, `${signed}A`, signed.slice(0, -1)])
      expect(read(text)).toBeNull();
  });
});

test('what Slack’s URL and the mail server’s password say is masked (NOTE-18)', () => {
  const url = 'https://hooks.slack.com/services/T000/B000/abcdefghijkl';
  const mask = createMasker({
    GOALKEEPER_NOTIFY_SLACK: url,
    GOALKEEPER_NOTIFY_ALLOW: '127.0.0.1',
    GOALKEEPER_SMTP_URL: 'smtps://goals:pa%2Fss-word@mail.example.com',
  });
  const masked = mask.text(`curl ${url} pa/ss-word pa%2Fss-word 127.0.0.1`);
  expect(masked).not.toMatch(/abcdefghijkl|ss-word/);
  expect(masked).toContain('127.0.0.1');
});
