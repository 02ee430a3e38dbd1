import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isAsKept, keepProgram } from '../../src/stack/kept-program.ts';
import { temporalBinary } from '../../src/stack/temporal-binary.ts';
import { checked, TEMPORAL_DIGESTS, TEMPORAL_VERSION } from '../../src/stack/temporal-digests.ts';
import { ROOT, testWith } from '../support/needs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'goalkeeper-downloads-'));
});
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

const PROGRAM = `temporal-${TEMPORAL_VERSION}`;
const isKept = (at: string) => isAsKept(join(at, PROGRAM));

test('KEY-33: a program that others could change, or that changed, is not run but fetched anew', async () => {
  const at = join(folder, 'bin');
  const program = join(at, PROGRAM);
  const keep = () => keepProgram(program, Buffer.from('#!/bin/sh\n'));
  expect(await isKept(at)).toBe(false);
  keep();
  expect(await isKept(at)).toBe(true);
  writeFileSync(program, 'another');
  expect(await isKept(at)).toBe(false);
  keep();
  chmodSync(program, 0o777);
  expect(await isKept(at)).toBe(false);
  keep();
  // As a former version made it under such a mask of the shell.
  chmodSync(at, 0o777);
  expect(await isKept(at)).toBe(false);
  expect(statSync(at).mode & 0o777).toBe(0o755);
  keep();
  symlinkSync(program, join(folder, PROGRAM));
  expect(await isKept(folder)).toBe(false);
  rmSync(`${program}.sha256`);
  expect(await isKept(at)).toBe(true);
  vi.stubEnv('PATH', '/nowhere');
  expect(await temporalBinary(at, () => {})).toBe(program);
  vi.stubGlobal('fetch', async () => new Response('something else'));
  writeFileSync(program, 'another');
  const told: string[] = [];
  await expect(temporalBinary(at, (line) => told.push(line))).rejects.toThrow();
  expect(told[0]).toMatch(/is not as it was fetched/);
});

testWith(ROOT)('KEY-33: a folder of another user holds no program of the service', async () => {
  const at = join(folder, 'theirs');
  keepProgram(join(at, PROGRAM), Buffer.from(''));
  chownSync(join(at, PROGRAM), 65_534, 65_534);
  expect(await isKept(at)).toBe(false);
  chownSync(at, 65_534, 65_534);
  await expect(isKept(at)).rejects.toThrow(/belongs to another user/);
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
