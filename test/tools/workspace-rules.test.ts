import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workspaceRules } from '../../src/tools/workspace-rules.ts';
import { temporaryFolder } from './support.ts';

const DENY = { tool: 'run_command', command: 'curl', decision: 'deny' } as const;

test('rules of a workspace are read from its own file, and anew when that changes', async () => {
  const folder = await temporaryFolder();
  const rulesOf = workspaceRules(folder);
  expect(rulesOf('shop')).toMatchObject({ rules: [], problem: null });
  await writeFile(join(folder, 'shop.json'), JSON.stringify([DENY]));
  expect(rulesOf('shop')).toMatchObject({ rules: [DENY], problem: null });
  expect(rulesOf('desk').rules).toEqual([]);
  await writeFile(join(folder, 'shop.json'), JSON.stringify([DENY, DENY]));
  expect(rulesOf('shop').rules).toHaveLength(2);
  await rm(join(folder, 'shop.json'));
  expect(rulesOf('shop').rules).toEqual([]);
});

test.each([
  ['[oops', "can't be read"],
  ['[{"tool":"run_command","decision":"perhaps"}]', 'is not usable at 0.decision'],
])('a file that holds %s is named with its fault', async (text, problem) => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'shop.json'), text);
  const read = workspaceRules(folder)('shop');
  expect(read.rules).toEqual([]);
  expect(read.problem).toContain(`${join(folder, 'shop.json')} ${problem}`);
});

test('a name of a workspace leads to no other folder', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'policies'));
  await writeFile(join(folder, 'evil.json'), JSON.stringify([{ tool: '*', decision: 'allow' }]));
  expect(workspaceRules(join(folder, 'policies'))('../evil').rules).toEqual([]);
});

test('a file may name checkers beside its rules', async () => {
  const folder = await temporaryFolder();
  const checker = { name: 'shellcheck', command: 'shellcheck -f gcc {paths}' };
  await writeFile(
    join(folder, 'shop.json'),
    JSON.stringify({ tools: [DENY], diagnostics: [checker] }),
  );
  const read = workspaceRules(folder)('shop');
  expect(read).toMatchObject({ rules: [DENY], checkers: [checker], problem: null });
  await writeFile(join(folder, 'desk.json'), JSON.stringify({ diagnostics: [{ name: 'x' }] }));
  expect(workspaceRules(folder)('desk').problem).toContain(
    'is not usable at diagnostics.0.command',
  );
});
