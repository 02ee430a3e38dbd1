import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  fillFromSeed,
  findSeed,
  keepSeed,
  openSeedRoom,
  sweepSeeds,
} from '../../../src/sandbox/seeds/seed-store.ts';

let root: string;
let seeds: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'goalkeeper-seeds-'));
  seeds = join(root, 'seeds');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const TOOL = { places: ['.cache/tool'] };
const CONTENT = 'compiled';

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function made(key = keyOf('one'), content = CONTENT): Promise<string> {
  const room = await openSeedRoom(seeds, key);
  put(join(room.home, 'home/.cache/tool/aa/x-d'), content);
  put(join(room.home, 'home/.cache/tool/aa/x-a'), 'index');
  put(join(room.home, 'home/.config/other'), 'not a part of it');
  await keepSeed(seeds, key, room, TOOL);
  rmSync(room.folder, { recursive: true, force: true });
  return key;
}

const keyOf = (name: string): string => `tool-${createHash('sha1').update(name).digest('hex')}`;

const FILE = 'home/.cache/tool/aa/x-d';

describe('a kept seed', () => {
  test('SEED-2 holds the places of its toolchain and nothing else, closed to others', async () => {
    const key = await made();
    expect(await findSeed(seeds, key)).toBe(join(seeds, key));
    expect(readdirSync(join(seeds, key, 'home'))).toEqual(['.cache']);
    expect(readdirSync(seeds)).toEqual([key]);
    expect(statSync(seeds).mode & 0o777).toBe(0o700);
  });

  test.each<[string, (seed: string) => void]>([
    ['a file has another content', (seed) => writeFileSync(join(seed, FILE), 'poisoned')],
    [
      'a file has another content, and its times and size are set back',
      (seed) => {
        const { atime, mtime } = statSync(join(seed, FILE));
        writeFileSync(join(seed, FILE), 'COMPILED');
        utimesSync(join(seed, FILE), atime, mtime);
      },
    ],
    [
      'another file stands in its place',
      (seed) => {
        writeFileSync(join(seed, 'new'), CONTENT);
        renameSync(join(seed, 'new'), join(seed, FILE));
      },
    ],
    ['a file is cut off', (seed) => writeFileSync(join(seed, FILE), '')],
    ['a file is gone', (seed) => rmSync(join(seed, FILE))],
    ['a file is new', (seed) => writeFileSync(join(seed, `${FILE}2`), 'x')],
    ['a link is new', (seed) => symlinkSync('/etc/passwd', join(seed, `${FILE}2`))],
    ['its list is damaged', (seed) => writeFileSync(join(seed, 'manifest.json'), '{')],
    ['its list is gone', (seed) => rmSync(join(seed, 'manifest.json'))],
  ])('SEED-2 is no seed any more, and is removed, once %s', async (_, damage) => {
    const key = await made();
    damage(join(seeds, key));
    expect(await findSeed(seeds, key)).toBeNull();
    expect(readdirSync(seeds)).toEqual([]);
    await made();
    expect(await findSeed(seeds, key)).not.toBeNull();
  });

  test('SEED-2 is not kept with links in it, or with nothing', async () => {
    const key = keyOf('one');
    const linked = await openSeedRoom(seeds, key);
    mkdirSync(join(linked.home, 'home/.cache/tool'), { recursive: true });
    symlinkSync('/etc/passwd', join(linked.home, 'home/.cache/tool/x'));
    await expect(keepSeed(seeds, key, linked, TOOL)).rejects.toThrow('neither a file nor a folder');
    const empty = await openSeedRoom(seeds, key);
    await expect(keepSeed(seeds, key, empty, TOOL)).rejects.toThrow('nothing lies in .cache/tool');
    expect(await findSeed(seeds, key)).toBeNull();
  });

  test('SEED-2 is the first one where two are made at once', async () => {
    const key = await made();
    await made(key, 'made later');
    expect(await findSeed(seeds, key)).not.toBeNull();
    expect(readFileSync(join(seeds, key, FILE), 'utf8')).toBe(CONTENT);
  });

  test('SEED-3 gives each home files of its own', async () => {
    const seed = join(seeds, await made());
    const old = new Date(Date.now() - 30 * 86_400_000);
    utimesSync(join(seed, FILE), old, old);
    const home = join(root, 'home');
    await fillFromSeed(seed, TOOL, home);
    const copy = statSync(join(home, '.cache/tool/aa/x-d'));
    expect(copy.nlink).toBe(1);
    expect(copy.ino).not.toBe(statSync(join(seed, FILE)).ino);
    expect(copy.mtimeMs).toBeGreaterThan(old.getTime() + 1000);
    expect(readFileSync(join(home, '.cache/tool/aa/x-d'), 'utf8')).toBe(CONTENT);
  });

  test('SEED-3 that is gone meanwhile leaves the home without', async () => {
    const home = join(root, 'home');
    await fillFromSeed(join(seeds, 'gone'), TOOL, home);
    expect(existsSync(join(home, '.cache/tool'))).toBe(false);
  });

  test('SEED-2 goes when nobody used it for long, or when four others were used since', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e'].map(keyOf);
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000);
    for (const [index, key] of keys.slice(0, 4).entries()) {
      await made(key);
      utimesSync(join(seeds, key), day(10 - index), day(10 - index));
    }
    await made(keys[4]);
    expect(readdirSync(seeds).sort()).toEqual(keys.slice(1).sort());
    utimesSync(join(seeds, keys[1] ?? ''), day(15), day(15));
    const room = await openSeedRoom(seeds, keyOf('of a dead worker'));
    utimesSync(room.folder, day(2), day(2));
    const { folder } = await openSeedRoom(seeds, keyOf('being made'));
    await sweepSeeds(seeds);
    const left = [...keys.slice(2), folder.slice(seeds.length + 1)];
    expect(readdirSync(seeds).sort()).toEqual(left.sort());
  });
});
