import { cp, mkdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { ShownChange } from '../../schema/proof-change.ts';
import { claim, openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';

const write = (path: string, content: string) => reply.call('write_file', { path, content });
const add = (body: string) =>
  write('src/sum.ts', `export const sum = (a: number, b: number): number => ${body};\n`);
const options = {
  compilerOptions: { strict: true, skipLibCheck: true, types: [] },
  include: ['src'],
};
const project = {
  'tsconfig.json': JSON.stringify(options),
  'src/sum.ts': 'export const sum = (a: number, b?: number): number => a + b;\n',
};

/** What the entry imports is looked at, and nothing else. */
const imported = {
  'tsconfig.json': JSON.stringify({ ...options, include: undefined, files: ['src/main.ts'] }),
  'src/main.ts': "import { sum } from './sum.js';\nexport const three = sum(1, 2);\n",
};

const scripts = {
  unlinks: sequence([write('src/main.ts', 'export const three = 3;\n'), claim]),
  repairs: sequence([claim, add('a - "b"'), claim, add('a + b'), claim]),
  loosens: sequence([
    write('tsconfig.json', JSON.stringify({ ...options, compilerOptions: { strict: false } })),
    claim,
  ]),
  replaces: sequence([
    reply.call('run_command', {
      command:
        "rm node_modules/.bin/tsc && printf '#!/bin/sh\\n' > node_modules/.bin/tsc && chmod +x node_modules/.bin/tsc",
    }),
    claim,
  ]),
};

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts);
});
afterAll(() => goals.world.close());

/** A project with a compiler of its own: commands see nothing of the home in which this one may lie. */
async function typescriptProject(files: Record<string, string> = {}): Promise<string> {
  const path = await goals.world.workspace({ ...project, ...files });
  const compiler = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  await mkdir(join(path, 'node_modules/.bin'), { recursive: true });
  await cp(compiler, join(path, 'node_modules/typescript'), { recursive: true });
  await symlink('../typescript/bin/tsc', join(path, 'node_modules/.bin/tsc'));
  return path;
}

async function run(name: keyof typeof scripts, files: Record<string, string> = {}) {
  const workspace = { path: await typescriptProject(files) };
  const goal = await goals.run(name, { workspace, criteria: [{ kind: 'diagnostics' }] });
  const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(
    `/v1/goals/${goal.goalId}/ledger?limit=100`,
  );
  const settled = items.filter(({ phase }) => phase === 'settled');
  const gate = await goals.world.client.get<{ changes: readonly ShownChange[] }>(
    `/v1/goals/${goal.goalId}/gate`,
  );
  return { goal, rows: settled, changes: gate.changes };
}

test('C19 R43 diagnostics by tsc: refused while there are errors, verified once there are none', async () => {
  const { goal, rows } = await run('repairs');
  expect(await goals.story(goal.goalId)).toEqual([
    'start: 4 refuse',
    'nudge: 4 refuse',
    'nudge: 4 complete',
  ]);
  expect(goal.completion).toMatchObject({ verification: 'verified' });
  expect(goal.criteria[0]).toMatchObject({ baseline: 'unmet', reason: 'no errors by tsc' });
  expect(rows.some(({ receipt }) => receipt?.command?.includes('tsc --noEmit'))).toBe(true);
});

test.each<[keyof typeof scripts, Partial<ShownChange>]>([
  [
    'loosens',
    { name: 'tsconfig.json', kind: 'beyond_scope', diff: expect.stringContaining('+{') as string },
  ],
  ['replaces', { name: 'node_modules/', kind: 'packages' }],
])(
  'R43 a compiler that was made blind proves nothing without a person: %s',
  async (script, change) => {
    const { goal, changes } = await run(script);
    expect(goal).toMatchObject({ status: 'paused', criteria: [{ state: 'met' }] });
    expect(goal.completion).toBeUndefined();
    expect(changes).toEqual([expect.objectContaining({ criterionIds: ['c1'], ...change })]);
  },
);

test('a file with errors that is no longer imported is no repair without a person', async () => {
  const { goal, changes } = await run('unlinks', imported);
  expect(goal).toMatchObject({ status: 'paused', criteria: [{ state: 'met' }] });
  expect(changes).toEqual([
    expect.objectContaining({ name: 'looked at:src/sum.ts', kind: 'not_looked_at', now: null }),
  ]);
});
