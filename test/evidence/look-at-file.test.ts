import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashProtected, lookAtFile } from '../../src/evidence/look-at-file.ts';
import { matchText } from '../../src/evidence/match-text.ts';
import { refuseProtected } from '../../src/evidence/protection.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goalkeeper-file-'));
  await writeFile(join(folder, 'a.txt'), 'one\ntwo\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const look = (spec: object, before?: string | null) =>
  lookAtFile(folder, { kind: 'file', path: 'a.txt', ...spec }, before);

describe('a file criterion', () => {
  it.each([
    [{ exists: true }, true],
    [{ exists: false }, false],
    [{ path: 'none', exists: false }, true],
    [{ path: 'none', exists: true }, false],
    [{ matches: '^two$' }, true],
    [{ matches: 'three' }, false],
    [{ path: 'none', matches: 'x' }, false],
    [{ path: '.', matches: 'x' }, false],
  ])('%o holds: %s', async (spec, holds) => {
    expect((await look(spec)).holds).toBe(holds);
  });

  it('never follows a link out of the workspace', async () => {
    await symlink('/etc', join(folder, 'out'));
    expect(await look({ path: 'out/passwd', exists: true })).toEqual({
      holds: false,
      reason: 'path "out/passwd" leads out of the workspace',
    });
  });

  it('ends a pattern that takes for ever', async () => {
    expect(await matchText('^(a+)+$', `${'a'.repeat(60)}!`, 200)).toBe('timeout');
    expect(await matchText('a+', 'xaay')).toBe(true);
  });

  it('takes a regular file for what exists, unless a folder is asked for', async () => {
    await mkdir(join(folder, 'docs'));
    expect(await look({ path: 'docs', exists: true })).toEqual({
      holds: false,
      reason: 'docs is a folder, and a file is asked for',
    });
    expect(await look({ path: 'docs', exists: true, type: 'folder' })).toMatchObject({
      holds: true,
    });
    expect(await look({ path: 'a.txt', exists: true, type: 'folder' })).toMatchObject({
      holds: false,
    });
    expect(await look({ path: 'docs', exists: false })).toMatchObject({ holds: false });
  });

  it('finds a protected file or folder changed, and one that appears', async () => {
    await mkdir(join(folder, 'test'));
    await writeFile(join(folder, 'test/one.js'), '1');
    const protect = true as const;
    const before = await hashProtected(folder, 'test');
    expect((await look({ path: 'test', protect }, before)).holds).toBe(true);
    await writeFile(join(folder, 'test/one.js'), '2');
    expect((await look({ path: 'test', protect }, before)).holds).toBe(false);
    const absent = await hashProtected(folder, 'none');
    expect((await look({ path: 'none', protect }, absent)).holds).toBe(true);
    expect((await look({ path: 'a.txt', protect }, absent)).holds).toBe(false);
    expect((await look({ path: 'a.txt', protect }, undefined)).holds).toBe(false);
  });
});

describe('a write to a protected path', () => {
  const brief = (path: string, hash?: string): Parameters<typeof refuseProtected>[0] => ({
    criteria: [
      {
        criterionId: 'c1',
        spec: { kind: 'file', path, protect: true },
        state: 'met',
        baseline: 'met',
        origin: 'caller',
        receipts: [],
      },
    ],
    baseline: {
      states: {},
      reasons: {},
      ...(hash === undefined ? {} : { seen: { c1: { hash } } }),
    },
    workspace: { name: 'w', path: folder, marker: '', writeSeq: 0 },
  });
  const plan = (path: string, after = 'new') => ({ path, before: 'old', after });

  it('is refused with the criterion, also through a link and inside of a folder', async () => {
    await symlink('a.txt', join(folder, 'link.txt'));
    const refusal = await refuseProtected(brief('link.txt'), plan('a.txt'));
    expect(refusal).toMatchObject({ outcome: 'refused' });
    expect(refusal?.receipt.reason).toContain('criterion c1 protects a.txt');
    expect(await refuseProtected(brief('test'), plan('test/one.js'))).not.toBeNull();
    expect(await refuseProtected(brief('test'), plan('tests.js'))).toBeNull();
  });

  it('may give the file its first content back', async () => {
    expect(await refuseProtected(brief('a.txt', 'first'), plan('a.txt', 'first'))).toBeNull();
    expect(await refuseProtected(brief('a.txt', 'first'), plan('a.txt'))).not.toBeNull();
  });
});
