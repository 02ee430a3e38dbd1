import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SealedCriterion } from '../../../schema/criteria.ts';
import type { KeptSealedRun, SealedOnHost } from '../../../src/contract/sealed.ts';
import { MOST_JUDGED } from '../../../src/proof/sealed/told.ts';
import { openGround } from '../gate-ground.ts';

const spec: SealedCriterion = {
  ...{ kind: 'sealed', sealedId: 'sl-0000000000000001', checks: 'command' },
  ...{ name: 'cases', description: 'all of them', hint: 'none' },
};

/** No run here is in a sandbox, so whatever runs is not counted as judged. */
function openSealed(whyNot: string | null) {
  const workspace = mkdtempSync(join(tmpdir(), 'goalkeeper-used-'));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  mkdirSync(join(workspace, 'src'));
  writeFileSync(join(workspace, 'src/a.sh'), 'exit 1\n');
  const kept: Omit<KeptSealedRun, 'at'>[] = [];
  const told = { sealed: true, name: 'cases', description: 'all of them', hint: 'none' } as const;
  const sealed: SealedOnHost = {
    whyNot,
    open: async () => ({
      check: { ...told, kind: 'command', command: 'sh src/a.sh' },
      files: [{ path: 'held/out.txt', mode: 0o644, content: Buffer.from('x') }],
    }),
    runs: async () => kept.map((run) => ({ ...run, at: '' })),
    keepRun: async (_, run) => void kept.push(run),
  };
  const own = { scope: { change: ['src/**'] } };
  const ground = openGround(workspace, [spec], { sealed }, own);
  const work = (text: string) => writeFileSync(join(workspace, 'src/a.sh'), text);
  return { ...ground, kept, work };
}

test('SEAL-16 a run without a whole sandbox is no judging, whatever it exited with', async () => {
  const { lookFirst, gate, work, kept } = openSealed(null);
  expect((await lookFirst())?.states).toEqual({ c1: 'not_run' });
  work('exit 0\n');
  const { criteria } = await gate();
  expect(criteria).toMatchObject([{ state: 'unmet', reason: 'the host could not check it' }]);
  expect(kept.at(-1)).toMatchObject({ state: 'not_run', reason: /sandbox/ });
});

test('SEAL-17 a goal is told of so many versions of its work, and of no more', async () => {
  const { lookFirst, gate, work, settle, kept } = openSealed(null);
  await lookFirst();
  for (let number = 1; number <= MOST_JUDGED; number += 1) {
    const receipt = { origin: 'gate' as const, criterionId: 'c1', reason: 'unmet' };
    settle({ callId: `j${number}`, tool: 'check.sealed', outcome: 'failed', receipt });
  }
  work('exit 0\n');
  const before = kept.length;
  const { criteria } = await gate();
  expect(criteria).toMatchObject([{ state: 'unmet', reason: /judged 20 versions/ }]);
  expect(kept).toHaveLength(before);
});
