import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isSignedBy, keyIdOf, readPublicKeys } from '../../src/attest/dsse.ts';
import { openSigner } from '../../src/attest/signer.ts';

const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-signer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytes = Buffer.from('what is signed');

test('PRF-12 the key of an installation is made once and stays', async () => {
  const home = mkdtempSync(join(folder, 'home-'));
  const [first, second] = [openSigner(home, null), openSigner(home, null)];
  expect(keyIdOf(second.publicKey)).toBe(keyIdOf(first.publicKey));
  expect(isSignedBy(first.publicKey, bytes, await second.sign(bytes))).toBe(true);
  expect(statSync(join(home, 'proof-key.pem')).mode & 0o777).toBe(0o600);
});

/** Stands for the client of a KMS. */
function kms(type: 'ed25519' | 'ec') {
  const { privateKey, publicKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('ed25519');
  const [secret, own] = [join(folder, `${type}.secret`), join(folder, `${type}.pem`)];
  writeFileSync(secret, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(own, publicKey.export({ type: 'spki', format: 'pem' }));
  const script = join(folder, `${type}.mjs`);
  const digest = type === 'ec' ? "'sha256'" : 'null';
  writeFileSync(
    script,
    `import { sign } from 'node:crypto'; import { readFileSync } from 'node:fs';
    process.stdout.write(sign(${digest}, readFileSync(0), readFileSync('${secret}')));`,
  );
  return { command: `"${process.execPath}" "${script}"`, publicKey: own };
}

test.each(['ed25519', 'ec'] as const)('PRF-13 a command signs instead of it: %s', async (type) => {
  const signer = openSigner(folder, kms(type));
  expect(isSignedBy(signer.publicKey, bytes, await signer.sign(bytes))).toBe(true);
});

test.each([
  ['fails', 'echo no quota >&2; exit 7', 'ended with 7: no quota'],
  ['signs with another key', kms('ec').command, 'no signature by the key'],
  ['writes something else', 'echo hello', 'no signature by the key'],
  ['reads nothing', 'exec <&-; true', 'no signature by the key'],
])('PRF-13 a command that %s signs nothing', async (_, command, problem) => {
  const { publicKey } = kms('ed25519');
  await expect(openSigner(folder, { command, publicKey }).sign(bytes)).rejects.toThrow(problem);
});

test('PRF-13 a command needs its public key', () => {
  const publicKey = join(folder, 'none.pem');
  expect(() => openSigner(folder, { command: 'true', publicKey })).toThrow('no public key');
});

test('PRF-4 only public keys that can sign are trusted', () => {
  const pem = (key: ReturnType<typeof generateKeyPairSync>['publicKey']) =>
    String(key.export({ type: 'spki', format: 'pem' }));
  const one = pem(generateKeyPairSync('ed25519').publicKey);
  const other = pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey);
  expect(readPublicKeys(`${one}\n${other}`)).toHaveLength(2);
  expect(readPublicKeys(pem(generateKeyPairSync('x25519').publicKey))).toBeNull();
  expect(
    readPublicKeys(pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)),
  ).toBeNull();
  expect(readPublicKeys('')).toBeNull();
  kms('ed25519');
  expect(readPublicKeys(readFileSync(join(folder, 'ed25519.secret'), 'utf8'))).toBeNull();
});
