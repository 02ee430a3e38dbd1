import { expect, test } from 'vitest';
import { criterionFacts, levelText, readProof } from '../../src/ui/view/proof-bundle.ts';

const criterion = {
  ...{ criterionId: 'c1', state: 'met', baseline: 'unmet', origin: 'caller', receipts: [9, 11] },
  spec: { kind: 'command', command: 'make tést' },
} as const;
const predicate = {
  level: 'supported',
  criteria: [criterion],
  proof: {
    criteria: [
      {
        ...{ criterionId: 'c1', receipts: [11], tests: { before: 4, now: 5 } },
        canaries: { state: 'not_applied', reason: 'no runner' },
      },
    ],
  },
};

test('PRF-14 the console shows what the signed file says', () => {
  const payload = Buffer.from(JSON.stringify({ predicate })).toString('base64');
  const line = JSON.stringify({ payload, signatures: [{ keyid: 'abc', sig: '' }] });
  const shown = readProof(`${line}\n{}\n`);
  expect(shown).toMatchObject({ keyId: 'abc', predicate });
  expect(levelText(shown.predicate)).toBe('Supported, not verified');
  expect(criterionFacts(shown.predicate, shown.predicate.criteria[0] ?? expect.fail())).toBe(
    'failed before the work · met on the original with the work · tests: 4 before, 5 now · ' +
      'canaries: not applied',
  );
});
