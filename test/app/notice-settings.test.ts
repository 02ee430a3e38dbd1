import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config.ts';
import { ConfigError } from '../../src/contract/config.ts';

const base = {
  GOALKEEPER_HOME: join(mkdtempSync(join(tmpdir(), 'goalkeeper-notices-')), 'home'),
  GOALKEEPER_LEDGER_KEY: 'a-key-of-sixteen-or-more',
  GOALKEEPER_PUBLIC_URL: 'https://goals.example.com/',
  GOALKEEPER_SMTP_URL: 'smtps://goals%40example.com:p%2Fw@mail.example.com',
  GOALKEEPER_MAIL_FROM: 'goals@example.com',
};
const slack = { slack: 'team', urlEnv: 'GOALKEEPER_NOTIFY_SLACK' };
const loaded = (targets: readonly object[], more: Record<string, string> = {}) =>
  loadConfig({ ...base, GOALKEEPER_NOTIFY: JSON.stringify(targets), ...more });

function refusal(targets: readonly object[], more: Record<string, string> = {}) {
  try {
    loaded(targets, more);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

test('targets for people are read with what they need (NOTE-9)', () => {
  const { service, notices } = loaded([{ ...slack, as: 'ada' }, { mailto: 'ben@example.com' }]);
  expect(service.notify).toEqual([{ ...slack, as: 'ada' }, { mailto: 'ben@example.com' }]);
  expect(notices).toEqual({
    publicUrl: 'https://goals.example.com',
    linkHours: 24,
    mail: {
      ...{ host: 'mail.example.com', port: 465, isTls: true, isPlain: false },
      ...{ user: 'goals@example.com', password: 'p/w', from: 'goals@example.com' },
    },
  });
});

test('only a literal address that the operator allows is written to without TLS (NOTE-9)', () => {
  const own = { GOALKEEPER_ALLOWED_ADDRESSES: '127.0.0.1' };
  const mailOf = (url: string, more = {}) =>
    loaded([], { GOALKEEPER_SMTP_URL: url, ...more }).notices.mail;
  expect(mailOf('smtp://127.0.0.1:25', own)).toMatchObject({ isPlain: true, port: 25, user: null });
  expect(mailOf('smtp://mail.example.com', own)).toMatchObject({ isPlain: false, port: 587 });
  expect(mailOf('smtps://127.0.0.1', own)).toMatchObject({ isPlain: false, isTls: true });
});

describe('what can’t be used is refused with its place and a way out (NOTE-9)', () => {
  test.each([
    [[{ slack: 'a b', urlEnv: slack.urlEnv }], /at 0\.slack: a name/],
    [[slack, { ...slack, url: 'https://hooks.slack.com/x' }], /at 1/],
    [[{ slack: 'team', urlEnv: 'OPENAI_API_KEY' }], /at 0\.urlEnv: a variable named/],
    [[{ slack: 'team' }], /at 0\.urlEnv/],
    [[{ mailto: 'a@example.com, b@example.com' }], /at 0\.mailto: one address/],
    [[{ mailto: 'a@example.com\r\nBcc: b@example.com' }], /at 0\.mailto: one address/],
    [[{ mailto: 'a@example.com', as: 'oidc:a@example.com' }], /at 0\.as: the name of a token/],
    [[{ mailto: 'a@example.com', events: ['everything'] }], /at 0\.events\.0/],
    [[{ mailto: 'a@example.com' }, { mailto: 'A@example.com' }], /at 1: it is named twice/],
    [[slack, slack], /at 1: it is named twice/],
    [[{ url: 'mailto:a@example.com', secretEnv: 'GOALKEEPER_NOTIFY_X' }], /at 0\.url: Slack and/],
    [
      [{ url: 'https://hooks.slack.com/services/T/B/x', secretEnv: 'GOALKEEPER_NOTIFY_X' }],
      /at 0\.url: Slack and e-mail are targets/,
    ],
  ])('%j', (targets, message) => {
    const { variable, message: told, wayOut } = refusal(targets);
    expect(variable).toBe('GOALKEEPER_NOTIFY');
    expect(told).toMatch(message);
    expect(wayOut).toContain('"mailto":"ada@example.com"');
  });

  test.each([
    ['GOALKEEPER_PUBLIC_URL', '', 'is not set, and GOALKEEPER_NOTIFY.0 has links that decide'],
    ['GOALKEEPER_PUBLIC_URL', 'http://goals.example.com', 'is not https'],
    ['GOALKEEPER_PUBLIC_URL', 'https://goals.example.com/?a=b', 'holds more than host'],
    ['GOALKEEPER_LEDGER_KEY', '', 'is not set, and GOALKEEPER_NOTIFY.0 has links that decide'],
    ['GOALKEEPER_SMTP_URL', '', 'is not set, and GOALKEEPER_NOTIFY.0 is e-mail'],
    ['GOALKEEPER_SMTP_URL', 'https://mail.example.com', 'is not usable'],
    ['GOALKEEPER_SMTP_URL', 'smtp://10.1.2.3', 'leads to a loopback, link-local or private'],
    ['GOALKEEPER_SMTP_URL', 'smtp://u:%zz@mail.example.com', 'has a % that begins no letter'],
    ['GOALKEEPER_MAIL_FROM', '', 'is not set'],
    ['GOALKEEPER_MAIL_FROM', 'Goals <goals@example.com>', 'is not usable'],
    ['GOALKEEPER_LINK_HOURS', '0', 'is not usable'],
  ])('%s=%s', (variable, value, problem) => {
    const error = refusal([{ mailto: 'a@example.com', as: 'ada' }], { [variable]: value });
    expect(error).toMatchObject({ variable, problem: expect.stringContaining(problem) });
    expect(error.wayOut).not.toBe('');
    expect(error.message).not.toContain('p%2Fw');
  });
});
