import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { temporalBinary } from '../../src/stack/temporal-binary.ts';
import { checked, TEMPORAL_DIGESTS } from '../../src/stack/temporal-digests.ts';

const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-downloads-'));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test('REC-50 a download with another digest is never used, nor kept', async () => {
  const asked: string[] = [];
  vi.stubEnv('PATH', '/nowhere');
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    return new Response('something else');
  });
  const got = temporalBinary(folder, () => {});
  await expect(got).rejects.toThrow(process.arch === 'x64' ? /has SHA-256/ : /no digest/);
  expect(readdirSync(folder)).toEqual([]);
  for (const url of asked) expect(url).toMatch(/^https:/);
});

test('REC-51 each digest is one, and any other content is refused', () => {
  const all = Object.values(TEMPORAL_DIGESTS).flatMap((digests) => Object.values(digests ?? {}));
  for (const digest of all) expect(digest).toMatch(/^[0-9a-f]{64}$/);
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  expect(checked(Buffer.alloc(0), empty, 'nothing')).toHaveLength(0);
  expect(() => checked(Buffer.from('x'), empty, 'x')).toThrow(/x has SHA-256/);
});

test("REC-52 Temporal's database is nobody else's to read", () => {
  const home = process.env.GOALKEEPER_TEST_FOLDER ?? '';
  const files = readdirSync(home).filter((name) => name.startsWith('temporal.db'));
  expect(files).toContain('temporal.db');
  for (const name of files)
    expect([name, statSync(join(home, name)).mode & 0o077]).toEqual([name, 0]);
});
