import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unendingFile } from '../../src/process/unending-file.ts';
import { start } from './command-line.ts';

let folder: string;
let pipe: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'goalkeeper-named-'));
  pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const commands = (path: string) => [
  ['show', '--archive', path],
  ['show', '--archive', path, '--turns'],
  ['proof', 'verify', path],
  ['check-comment', path],
];

test('TERM-83 a named pipe or a device in the place of a file is refused by its name, and waited for by no command', async () => {
  for (const [path, what] of [
    [pipe, 'a named pipe'],
    ['/dev/zero', 'a device'],
  ] as const) {
    const all = commands(path).map(async (args) => {
      const { exitCode, err } = await start(args, {}, folder).done;
      return [args.join(' '), exitCode, err.includes(`${path} is ${what}`)];
    });
    expect(await Promise.all(all)).toEqual(commands(path).map((args) => [args.join(' '), 3, true]));
  }
});

test('TERM-83 an archive is read from standard input as well', async () => {
  const asked = start(['show', '--archive', '-'], {}, folder, '{"no": "archive"}\n');
  const { exitCode, err } = await asked.done;
  expect([exitCode, err]).toEqual([1, expect.stringContaining('no_archive')]);
});

test('TERM-83 what a shell gives in the place of a file is read', async () => {
  expect(await unendingFile('/dev/fd/63')).toBeNull();
  expect(await unendingFile(pipe)).toBe('a named pipe');
});
