import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Tool } from '../../src/tools/tool.ts';
import { guardOf, judgeCall } from '../../src/turn/judge-call.ts';
import type { SliceRun } from '../../src/turn/slice-run.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

/** A goal in a workspace that holds the service's home. */
function goal(): Pick<SliceRun, 'brief' | 'ports'> {
  const path = mkdtempSync(join(tmpdir(), 'goalkeeper-home-'));
  made.push(path);
  const home = join(path, '.data', 'goal[keeper]');
  mkdirSync(join(home, 'policies'), { recursive: true });
  mkdirSync(join(path, 'src'));
  symlinkSync(home, join(path, 'link'));
  const brief = { workspace: { name: 'w', path, mode: 'shared' } };
  return { brief, ports: { home } } as unknown as Pick<SliceRun, 'brief' | 'ports'>;
}

const tool = (name: string) => ({ name }) as Tool;

test.each([
  ['write_file', { path: '.data/goal[keeper]/policies/w.json' }],
  ['read_file', { path: 'link/token' }],
  ['run_command', { command: 'cat .data/*/token' }],
  ['run_command', { command: '> link/policies/w.json' }],
  ['run_command', { command: 'cat token', cwd: 'link' }],
])(
  "a goal whose workspace holds the service's home may not touch it by %s %j",
  async (name, args) => {
    const run = goal();
    expect((await judgeCall(run, tool(name), args)).decision).toBe('deny');
  },
);

test('all else in that workspace stays open', async () => {
  const run = goal();
  const { decision } = await judgeCall(run, tool('write_file'), { path: 'src/a.ts' });
  expect(decision).toBe('allow');
  const guard = guardOf(run, 'grep_search');
  expect(guard?.('src/a.ts')).toBe('allow');
  expect(guard?.('.data/goal[keeper]/token')).toBe('deny');
});
