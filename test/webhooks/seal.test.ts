import { expect, test } from 'vitest';
import { notifySchema } from '../../schema/notify.ts';
import { ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { openSecret, sealTarget } from '../../src/webhooks/seal.ts';

const old = 'a key of former days';
const keys = ledgerKeys(['the key of the service', old]);
const target = { url: 'https://hooks.example.com/x', secret: 'a-secret-of-some-length' };

test('a secret is stored sealed, differently each time, and opens for its own URL alone', () => {
  const { secret } = sealTarget(target, keys);
  expect(secret).toMatch(/^sealed:[0-9a-f]{8}:/);
  expect(secret).not.toContain(target.secret);
  expect(sealTarget(target, keys).secret).not.toBe(secret);
  expect(openSecret(secret ?? '', target.url, keys)).toBe(target.secret);
  expect(openSecret(secret ?? '', 'https://elsewhere.example.com/x', keys)).toBeNull();
});

test('a former key still opens what it sealed, a key that is gone does not', () => {
  const { secret = '' } = sealTarget(target, ledgerKeys([old]));
  expect(openSecret(secret, target.url, keys)).toBe(target.secret);
  expect(openSecret(secret, target.url, ledgerKeys(['another key altogether']))).toBeNull();
  expect(openSecret(secret, target.url, noKeys)).toBeNull();
});

test('a damaged one opens for nobody', () => {
  const { secret = '' } = sealTarget(target, keys);
  const damaged = secret.slice(0, -4) + (secret.endsWith('AAAA') ? 'BBBB' : 'AAAA');
  expect(openSecret(damaged, target.url, keys)).toBeNull();
  expect(openSecret('sealed:', target.url, keys)).toBeNull();
});

test('without a key it stays what it is; names of variables are no secrets', () => {
  expect(sealTarget(target, noKeys)).toBe(target);
  expect(openSecret(target.secret, target.url, keys)).toBe(target.secret);
  const named = { url: target.url, secretEnv: 'GOALKEEPER_NOTIFY_SECRET' };
  expect(sealTarget(named, keys)).toBe(named);
});

test('nobody gives a secret that reads as if it were sealed', () => {
  const given = { ...target, secret: 'sealed:00000000:AAAAAAAA' };
  expect(notifySchema.safeParse([given]).success).toBe(false);
});
