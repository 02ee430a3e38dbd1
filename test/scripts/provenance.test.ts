import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Built, provenanceOf } from '../../scripts/provenance.ts';
import { signLine } from '../../src/attest/dsse.ts';

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

const built: Built = {
  files: [
    { name: 'goalkeeper-1.0.0.tgz', sha256: digest('package') },
    { name: 'goalkeeper-1.0.0.cdx.json', sha256: digest('bill') },
  ],
  ...{ commit: 'a'.repeat(40), isDirty: true, lockSha256: digest('lock') },
  ...{ node: 'v22.0.0', npm: '10.0.0' },
  ...{ startedAt: '2026-01-01T00:00:00.000Z', finishedAt: '2026-01-01T00:01:00.000Z' },
};

test('SEC-29 a release says what it holds, from what it was made, and that files differed', () => {
  expect(provenanceOf(built)).toMatchObject({
    subject: [
      { name: 'goalkeeper-1.0.0.tgz', digest: { sha256: digest('package') } },
      { name: 'goalkeeper-1.0.0.cdx.json', digest: { sha256: digest('bill') } },
    ],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        externalParameters: { isDirty: true },
        resolvedDependencies: [
          { digest: { gitCommit: built.commit } },
          { digest: { sha256: built.lockSha256 } },
        ],
      },
    },
  });
});

test('SEC-29 its signature covers the statement and its type, as DSSE has it', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { sign } = await import('node:crypto');
  const statement = JSON.stringify(provenanceOf(built));
  const signer = { publicKey, sign: async (bytes: Uint8Array) => sign(null, bytes, privateKey) };
  const envelope = JSON.parse(await signLine(signer, Buffer.from(statement)));
  const payload = Buffer.from(envelope.payload, 'base64');
  expect(payload.toString()).toBe(statement);
  const type = envelope.payloadType;
  const signed = `DSSEv1 ${type.length} ${type} ${payload.length} ${payload}`;
  const signature = Buffer.from(envelope.signatures[0].sig, 'base64');
  expect(verify(null, Buffer.from(signed), publicKey, signature)).toBe(true);
  expect(verify(null, Buffer.from(`${signed} `), publicKey, signature)).toBe(false);
});
