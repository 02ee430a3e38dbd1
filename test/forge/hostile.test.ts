import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { GoalProofPredicate } from '../../schema/proof-bundle.ts';
import { forgeCall } from '../../src/forge/call.ts';
import { pullText } from '../../src/forge/pull-text.ts';
import { ForgeRefused } from '../../src/forge/refused.ts';
import { goalCommitMessage } from '../../src/record/goal-commit.ts';

test('PULL-15 an answer that comes letter by letter is not waited for', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const call = forgeCall(`http://127.0.0.1:${port}`, {}, 300);
  await expect(call({ path: '/x', schema: z.unknown() })).rejects.toThrow(
    /its answer does not end|aborted due to timeout/,
  );
});

const proven = (more: { objective?: string; result?: string }): GoalProofPredicate =>
  ({
    goal: {
      ...{ goalId: 'g-1', objective: more.objective ?? 'Do it', model: 'm' },
      completedAt: '2026-01-01T00:00:00Z',
    },
    ...{ level: 'verified', result: more.result ?? 'Done.', criteria: [], approvals: [] },
    ...{ requirements: null, isolation: 'full' },
    proof: {
      ...{ files: [{ path: 'a.ts' }], accepted: [], beyondScope: [], selfChecked: true },
      felt: { unfelt: ['b.ts'] },
    },
    ledger: { head: { seq: 1, hash: 'h'.repeat(64) } },
  }) as unknown as GoalProofPredicate;

test('PULL-16 however long objective and result are, the text says what the proof says below them', () => {
  const text = pullText(
    proven({ objective: 'x'.repeat(70_000), result: '`'.repeat(70_000) }),
    'd'.repeat(64),
  );
  expect(text).toContain('No check notices whether these are there: `b.ts`');
  expect(text).toContain('Files that judge the work are part of it.');
  expect(text).toMatch(/in a checkout of this branch\.$/);
});

test('PULL-17 no sign that a terminal acts on, or that hides what is written, comes from others', () => {
  const escaped = 'red \u001b[31m \u202e \u0007';
  const signs = /(?!\n)[\p{Control}\p{Bidi_Control}]/u;
  const said = { goalId: 'g-1', level: 'verified', digest: 'd' } as const;
  const titled = goalCommitMessage({ ...said, objective: escaped, title: 'It is\u001b]0;x' });
  expect(titled).not.toMatch(signs);
  expect(goalCommitMessage({ ...said, objective: escaped })).not.toMatch(signs);
  expect(new ForgeRefused(escaped, 'Look.').message).not.toMatch(signs);
});
