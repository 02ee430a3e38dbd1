import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toolchainsOf } from '../../../src/sandbox/seeds/all.ts';
import { go } from '../../../src/sandbox/seeds/go.ts';
import { seedKey } from '../../../src/sandbox/seeds/seed-key.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'goalkeeper-seed-key-'));
  mkdirSync(join(root, 'go/bin'), { recursive: true });
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(root, 'go/VERSION'), 'go1.20');
  writeFileSync(join(root, 'go/bin/go'), '#!/bin/sh\n');
  chmodSync(join(root, 'go/bin/go'), 0o755);
  symlinkSync(join(root, 'go/bin/go'), join(root, 'bin/go'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const SELF = { kind: 'self' } as const;
const key = (env: object = {}, user: Parameters<typeof seedKey>[1] = SELF) =>
  seedKey(go, user, { PATH: `relative:${join(root, 'bin')}:/nowhere`, ...env });

describe('the key of a seed', () => {
  test('SEED-1 is the same as long as nothing of the toolchain changes', () => {
    expect(key()).toMatch(/^go-[0-9a-f]{40}$/);
    expect(key({ HOME: '/elsewhere', GOFLAGS: '-v' })).toBe(key());
  });

  test('SEED-1 is another one for another program, version, setting or user', () => {
    const before = key();
    const others = [
      key({ GOROOT: '/opt/go' }),
      key({}, { kind: 'rightless' }),
      key({}, { kind: 'owner', uid: 1000, gid: 1000 }),
      key({}, { kind: 'owner', uid: 1001, gid: 1000 }),
    ];
    writeFileSync(join(root, 'go/VERSION'), 'go1.20.1');
    others.push(key());
    utimesSync(join(root, 'go/bin/go'), 1, 1);
    others.push(key());
    writeFileSync(join(root, 'bin/gcc'), '');
    others.push(key());
    expect(new Set([before, ...others]).size).toBe(others.length + 1);
  });

  test('SEED-1 is missing where the program is, or where its cache is told to lie elsewhere', () => {
    expect(key({ GOCACHE: '/var/cache/go' })).toBeNull();
    rmSync(join(root, 'go/bin/go'));
    expect(key()).toBeNull();
    expect(seedKey(go, SELF, {})).toBeNull();
  });

  test('SEED-1 a tree is of a toolchain by the names of its files', () => {
    expect(toolchainsOf(['main.go', 'go.mod'])).toEqual([go]);
    expect(toolchainsOf(['package.json', 'main.go'])).toEqual([]);
  });
});
