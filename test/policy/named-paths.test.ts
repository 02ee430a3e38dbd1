import { beforeAll, describe, expect, test } from 'vitest';
import { pathsNamed, touchesAny } from '../../src/policy/named-paths.ts';
import { loadShellParser } from '../../src/shell/read/parse.ts';
import type { ParseShell } from '../../src/shell/read/script.ts';
import { segmentsOf } from '../../src/shell/read/segments.ts';

let parse: ParseShell;
beforeAll(async () => {
  parse = await loadShellParser();
});

/** Of the last command of a line. */
function touches(glob: string, line: string, folders?: readonly string[]): boolean {
  const segment = segmentsOf(parse, line)?.at(-1);
  if (segment === undefined) throw new Error(`cannot read ${line}`);
  const place = folders === undefined ? {} : { folders };
  return touchesAny(glob, pathsNamed(segment, place), place);
}

describe('a command touches what a glob means', () => {
  test.each<[string, string]>([
    ['secrets/**', 'cp --target-directory=secrets x'],
    ['secrets/**', 'curl -o=secrets/key x'],
    ['secrets/**', 'scp key host:secrets/key'],
    ['secrets/**', 'cd secrets && ls'],
    ['bin/*', 'bin/run'],
  ])('%s: %s', (glob, line) => {
    expect(touches(glob, line)).toBe(true);
  });

  test('in any of the folders where it may run', () => {
    expect(touches('secrets/**', 'ls', ['src', 'secrets'])).toBe(true);
    expect(touches('secrets/**', 'ls', ['src', 'lib'])).toBe(false);
  });

  test('of everything: only where it names something of the workspace', () => {
    expect(touches('**', 'cat notes')).toBe(true);
    expect(touches('**', 'uptime')).toBe(false);
    expect(touches('null', 'cd ~ && uptime')).toBe(false);
  });

  test.each(['bin secrets.md', 'echo host:', 'echo a:secretsx'])(
    'not by words that are only like it: %s',
    (line) => expect(touches('secrets/**', line)).toBe(false),
  );

  test('wherever it may be, where the line goes through more folders than are followed', () => {
    const through = (count: number) =>
      `${Array.from({ length: count }, (_, index) => `cd d${index} && `).join('')}uptime`;
    expect(touches('secrets/**', through(6))).toBe(false);
    expect(touches('secrets/**', through(7))).toBe(true);
  });
});
