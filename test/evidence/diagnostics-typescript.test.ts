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
  // The smallest library: the compiler runs a dozen times here.
  compilerOptions: { strict: true, lib: ['es5'], skipLibCheck: true, types: [] },
  include: ['src'],
};
const loose = { ...options.compilerOptions, strict: false };
const project = {
  'tsconfig.json': JSON.stringify(options),
  'src/sum.ts': 'export const sum = (a: number, b?: number): number => a + b;\n',
};

/** What the entry imports is looked at, and nothing else. */
const imported = {
  'tsconfig.json': JSON.stringify({ ...options, include: undefined, files: ['src/main.ts'] }),
  'src/main.ts': "import { sum } from './sum.js';\nexport const three = sum(1, 2);\n",
};

/** Two errors of the start, of one kind, and one new error each time. */
const old = {
  'src/old.ts': "export const one: number = 'a';\nexport const two: number = 'b';\n",
};
const onlyNew = { kind: 'diagnostics', onlyNew: true } as const;
const passesOnce = { kind: 'command', command: 'grep -q "a [+] b" src/sum.ts' } as const;

const scripts = {
  unlinks: sequence([write('src/main.ts', 'export const three = 3;\n'), claim]),
  repairs: sequence([claim, add('a - "b"'), claim, add('a + b'), claim]),
  keeps: sequence([
    add('a - "b"'),
    claim,
    write('src/old.ts', `// moved down\n${old['src/old.ts']}export const three: number = 'c';\n`),
    add('a + b'),
    claim,
    reply.call('get_diagnostics', { onlyNew: true }),
    write('src/old.ts', `// moved down\n${old['src/old.ts']}`),
    reply.call('get_diagnostics', { onlyNew: true }),
    claim,
  ]),
  loosens: sequence([
    write('tsconfig.json', JSON.stringify({ ...options, compilerOptions: loose })),
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

/** What tsc loads: the rest of its package, editors' and translators', is four fifths of it. */
const COMPILER = [
  'package.json',
  'bin/tsc',
  'lib/tsc.js',
  'lib/_tsc.js',
  'lib/lib.es5.d.ts',
  'lib/lib.decorators.d.ts',
  'lib/lib.decorators.legacy.d.ts',
];

/** A project with a compiler of its own: commands see nothing of the home in which this one may lie. */
async function typescriptProject(files: Record<string, string> = {}): Promise<string> {
  const path = await goals.world.workspace({ ...project, ...files });
  const compiler = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  await mkdir(join(path, 'node_modules/.bin'), { recursive: true });
  for (const file of COMPILER)
    await cp(join(compiler, file), join(path, 'node_modules/typescript', file));
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

test('a file with errors that is no longer imported is no repair without a person', {
  tags: 'campaign',
}, async () => {
  const { goal, changes } = await run('unlinks', imported);
  expect(goal).toMatchObject({ status: 'paused', criteria: [{ state: 'met' }] });
  expect(changes).toEqual([
    expect.objectContaining({ name: 'looked at:src/sum.ts', kind: 'not_looked_at', now: null }),
  ]);
});

test('C19 errors of the start count for nothing where no new ones are asked for', {
  tags: 'campaign',
}, async () => {
  const path = await typescriptProject({ ...old, 'src/sum.ts': 'export const sum = 0;\n' });
  const criteria = [onlyNew, passesOnce];
  const goal = await goals.run('keeps', { workspace: { path }, criteria });
  const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(
    `/v1/goals/${goal.goalId}/ledger?tool=get_diagnostics&limit=100`,
  );
  expect((await goals.story(goal.goalId)).map((turn) => turn.split(' ').at(-1))).toEqual([
    'refuse',
    'refuse',
    'complete',
  ]);
  const settled = items.filter(({ phase }) => phase === 'settled');
  expect(settled.map(({ outcome }) => outcome)).toEqual(['failed', 'succeeded']);
  expect(goal.completion).toMatchObject({ verification: 'verified' });
  expect(goal.criteria).toMatchObject([
    { baseline: 'met', reason: 'no new errors by tsc, 2 of the start' },
    { baseline: 'unmet' },
  ]);
  const told = goals.world.model.requests.flatMap(({ messages }) =>
    messages.map(({ text }) => text),
  );
  expect(told.some((text) => text.includes("src/old.ts:4 TS2322 Type 'string'"))).toBe(true);
});
