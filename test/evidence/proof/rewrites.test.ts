import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { withRewrites } from '../../../src/evidence/proof/rewrites.ts';

const watches = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;

test('HOSTS-5 a check that is broken off, as when the database is away, leaves no watch that would keep its worker from ending', async () => {
  const checkout = mkdtempSync(join(tmpdir(), 'goalkeeper-rewrites-'));
  onTestFinished(() => rmSync(checkout, { recursive: true, force: true }));
  const before = watches();
  let during = 0;
  const place = { checkout, lent: [] } as unknown as Parameters<typeof withRewrites>[0];
  const tree = { store: '', entries: new Map() } as unknown as Parameters<typeof withRewrites>[1];
  const broken = withRewrites(place, tree, async () => {
    during = watches();
    throw new Error('the database is away');
  });
  await expect(broken).rejects.toThrow('the database is away');
  expect(during).toBeGreaterThan(before);
  await expect.poll(watches).toBe(before);
});
