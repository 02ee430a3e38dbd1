import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ShownChange } from '../../schema/basis-change.ts';
import type { CommandCriterion } from '../../schema/criteria.ts';
import type { BasisPort, CriterionBaseline } from '../../src/contract/basis.ts';
import { startBaseline } from '../../src/evidence/baseline.ts';
import { judgeBasis } from '../../src/evidence/basis/judge.ts';
import { checkCriterion } from '../../src/evidence/criteria/all.ts';
import type { GateRun } from '../../src/evidence/criterion-check.ts';
import { defaultPolicy } from '../../src/goal/defaults.ts';
import type { SliceRun } from '../../src/turn/slice-run.ts';
import { temporaryFolder, testEffects } from '../tools/support.ts';
import { project, write } from './basis/support.ts';

const RIGHT = 'export const sum = (a, b) => a + b;\n';
const WRONG = 'export const sum = (a, b) => a - b;\n';
const OTHER = "import test from 'node:test';\ntest('other', () => {});\n";

const sample = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
  'src/sum.js': WRONG,
  'test/sum.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import { sum } from '../src/sum.js';

test('adds', () => {
  assert.equal(sum(1, 2), 3);
});
`,
  'test/other.test.js': OTHER,
};

function memoryBasis(): { port: BasisPort; shown: ShownChange[] } {
  let baselines: CriterionBaseline[] = [];
  let texts = new Map<string, string>();
  const shown: ShownChange[] = [];
  const port: BasisPort = {
    async keepBaselines(_, kept, keptTexts) {
      baselines = [...kept];
      texts = new Map(keptTexts);
    },
    baselines: async () => baselines,
    texts: async (_, hashes) => new Map([...texts].filter(([sha256]) => hashes.includes(sha256))),
    async keepChanges(_, __, changes) {
      shown.splice(0, shown.length, ...changes);
    },
    finishedGoals: async () => [],
  };
  return { port, shown };
}

/** Takes the baseline, lets somebody work, and asks the gate: with real runs and no server. */
async function judged(
  work: (folder: string) => Promise<void>,
  options: {
    files?: Record<string, string>;
    spec?: Partial<CommandCriterion>;
    accepted?: Record<string, string | null>;
    /** Files that can be run. */
    runs?: readonly string[];
  } = {},
) {
  const folder = await project(options.files ?? sample);
  for (const path of options.runs ?? []) await chmod(join(folder, path), 0o755);
  const { effects } = testEffects();
  const { port, shown } = memoryBasis();
  let states: Record<string, 'met' | 'unmet' | 'not_run'> = {};
  const ports = {
    home: await temporaryFolder(),
    basis: port,
    record: {
      recordBaseline: async (_: unknown, baseline: { states: typeof states }) => {
        states = baseline.states;
      },
    },
    journal: {
      decidedApprovals: async () => [],
      startCall: async () => {},
      settleCall: async (_: unknown, end: object) => ({ ...end, seq: 1 }),
    },
  };
  const spec = { kind: 'command', command: 'node --test', ...options.spec } as const;
  const criterion = { criterionId: 'c1', spec, state: 'unmet', baseline: 'not_run' };
  const run = {
    ports,
    attempt: { fence: { goalId: 'g1', epoch: 1, token: 1 }, effects },
    input: { goalId: 'g1', epoch: 1, runId: 'r', turn: 1, gate: 1 },
    brief: {
      goalId: 'g1',
      policy: defaultPolicy,
      criteria: [criterion],
      criteriaRevision: 1,
      workspace: { path: folder },
      baseline: null,
    },
    signal: new AbortController().signal,
    round: 1,
    isRepeated: () => false,
    receipts: [],
    reports: new Map(),
  };
  await startBaseline(run as unknown as SliceRun);
  await work(folder);
  const baseline = { states, reasons: {}, accepted: options.accepted ?? {} };
  const gate = { ...run, brief: { ...run.brief, baseline } } as unknown as GateRun;
  const found = [await checkCriterion(gate, gate.brief.criteria[0] as never)];
  const { criteria, weakened } = await judgeBasis(gate, found);
  return {
    weakened,
    state: criteria[0]?.state,
    reason: criteria[0]?.reason,
    baseline: criteria[0]?.baseline,
    named: shown.map(({ name, kind }) => [name, kind]),
    shown,
  };
}

/** What a script may change; the others do without npm, whose start takes longer than the tests. */
const byNpm = { command: 'npm test' };

describe('the gate looks at what a check rests on', () => {
  test('R11 an honest repair with more tests is clean, and its baseline was unmet', async () => {
    const seen = await judged((folder) =>
      write(folder, {
        'src/sum.js': RIGHT,
        'test/more.test.js': OTHER,
        'test/sum.test.js': `${sample['test/sum.test.js']}\ntest('zero', () => {\n  assert.equal(sum(0, 0), 0);\n});\n`,
      }),
    );
    expect(seen).toMatchObject({ state: 'met', baseline: 'unmet', weakened: [] });
  });

  test('C19 .npmrc with script-shell=/bin/true', async () => {
    const seen = await judged(
      (folder) => write(folder, { '.npmrc': 'script-shell=/bin/true\n', '.gitignore': '.npmrc\n' }),
      { spec: byNpm },
    );
    expect(seen.weakened).toContain('.npmrc (changed configuration)');
    expect(seen.shown[0]).toMatchObject({
      criterionIds: ['c1'],
      before: null,
      diff: '@@ -1,0 +1,1 @@\n+script-shell=/bin/true',
    });
  });

  test('C19 process.exit(0) at the top of the source, with and without other test files', async () => {
    const exits = (folder: string) => write(folder, { 'src/sum.js': `process.exit(0);\n${WRONG}` });
    const beside = await judged(exits);
    expect(beside.named).toEqual([['test:test/sum.test.js > adds', 'test_gone']]);
    const { 'test/other.test.js': _, ...alone } = sample;
    const seen = await judged(exits, { files: alone });
    expect(seen).toMatchObject({ state: 'unmet', reason: expect.stringContaining('ran no test') });
  });

  test('C19 process.exit(0) where the test file could not even be loaded at the baseline', async () => {
    const { 'src/sum.js': _, ...missing } = sample;
    const seen = await judged(
      (folder) => write(folder, { 'src/sum.js': `process.exit(0);\n${WRONG}` }),
      { files: missing },
    );
    expect(seen.named).toEqual([['test:test/sum.test.js', 'test_gone']]);
  });

  test.each<[string, (folder: string) => Promise<void>, [string, string]]>([
    [
      'a planted node',
      async (folder) => {
        await write(folder, { 'node_modules/.bin/node': '#!/bin/sh\nexit 0\n' });
        await chmod(join(folder, 'node_modules/.bin/node'), 0o755);
      },
      ['executable:node', 'executable'],
    ],
    [
      'a changed script',
      (folder) => write(folder, { 'package.json': '{"type":"module","scripts":{"test":"true"}}' }),
      ['package.json#scripts.test', 'script'],
    ],
    [
      'a new hook of a script',
      (folder) =>
        write(folder, {
          'package.json': '{"type":"module","scripts":{"test":"node --test","pretest":"true"}}',
        }),
      ['package.json#scripts.pretest', 'script'],
    ],
    [
      'a changed assertion',
      (folder) =>
        write(folder, { 'test/sum.test.js': sample['test/sum.test.js'].replace(', 3', ', -1') }),
      ['test/sum.test.js', 'test_changed'],
    ],
    [
      'a skipped test',
      (folder) =>
        write(folder, {
          'test/sum.test.js': sample['test/sum.test.js'].replace("'adds',", "'adds', { skip: 1 },"),
        }),
      ['test:test/sum.test.js > adds', 'test_skipped'],
    ],
    [
      'a deleted test file',
      (folder) => rm(join(folder, 'test/sum.test.js')),
      ['test/sum.test.js', 'test_deleted'],
    ],
  ])('%s is named', async (_, work, change) => {
    const isNpms = change[1] === 'script' || change[1] === 'executable';
    const options = isNpms ? { spec: byNpm } : {};
    const { named, weakened } = await judged(work, options);
    expect(named).toContainEqual(change);
    expect(weakened).not.toEqual([]);
  });

  const shell = {
    Makefile: 'test:\n\tsh tests/run.sh\n',
    'greet.sh': 'echo Hello\n',
    'tests/run.sh':
      'for one in tests/*.test.sh; do if [ -x "$one" ]; then sh "$one" || exit 1; fi; done\n',
    'tests/greet.test.sh': '[ "$(sh greet.sh)" = "Hello, you" ]\n',
    'bin/check': '#!/bin/sh\nexec sh tests/run.sh\n',
  };
  const runs = ['bin/check', 'tests/greet.test.sh'];
  const repaired = { 'greet.sh': 'echo "Hello, you"\n' };
  const emptied = { 'tests/greet.test.sh': 'exit 0\n' };

  test.each<[string, string, Record<string, string>, [string, string][]]>([
    [
      'a test that the script loops over',
      'make test',
      emptied,
      [['tests/greet.test.sh', 'test_changed']],
    ],
    [
      'the script that loops',
      'make test',
      { 'tests/run.sh': '' },
      [['tests/run.sh', 'test_changed']],
    ],
    [
      'a checker given by its path',
      './bin/check',
      { 'bin/check': '#!/bin/true\n' },
      [['bin/check', 'script']],
    ],
    [
      'a checker given to the shell',
      'bash bin/check',
      { 'bin/check': '' },
      [['bin/check', 'script']],
    ],
    ['a test behind a checker', 'bin/check', emptied, [['tests/greet.test.sh', 'test_changed']]],
    ['nothing but the product', 'make test', repaired, []],
    ['nothing but the product of a checker', 'bin/check', repaired, []],
    ['a script that was not there', 'sh run.sh', { 'run.sh': 'exit 0\n', ...repaired }, []],
    ['what another program reads', 'sh greet.sh | grep -q you', repaired, []],
  ])('C19 %s', async (_, command, files, changes) => {
    const spec = { command };
    const seen = await judged((folder) => write(folder, files), { files: shell, spec, runs });
    expect(seen.named).toEqual(changes);
  });

  test('C19 a test that is no longer executable, and a script that became it', async () => {
    const options = { files: shell, spec: { command: 'make test' }, runs };
    const modes = (test: number, script: number) => async (folder: string) => {
      await chmod(join(folder, 'tests/greet.test.sh'), test);
      await chmod(join(folder, 'tests/run.sh'), script);
    };
    const seen = await judged(modes(0o644, 0o755), options);
    expect(seen.weakened).toEqual(['tests/greet.test.sh (changed mode)']);
    expect(seen.shown[0]).toMatchObject({ kind: 'mode', diff: expect.stringContaining('-exec') });
    expect((await judged(modes(0o744, 0o755), options)).named).toEqual([]);
  });

  test('what a person accepted, or the criterion leaves open, is no change any more', async () => {
    const work = (folder: string) =>
      write(folder, { 'src/sum.js': RIGHT, '.npmrc': 'loglevel=warn\n' });
    const spec = byNpm;
    const first = await judged(work, { spec });
    expect(first.named).toEqual([['.npmrc', 'configuration']]);
    const accepted = { '.npmrc': first.shown[0]?.now ?? null };
    expect((await judged(work, { spec, accepted })).named).toEqual([]);
    expect((await judged(work, { spec, accepted: { '.npmrc': 'other' } })).named).toHaveLength(1);
    expect((await judged(work, { spec: { ...spec, basis: 'open' } })).named).toEqual([]);
  });

  const helper = {
    'node_modules/helper/package.json': '{"name":"helper","type":"module","exports":"./index.js"}',
    'node_modules/helper/index.js': '',
  };

  test('R43 a check that only waited for its dependencies is a guard', async () => {
    const seen = await judged((folder) => write(folder, helper), {
      files: {
        ...sample,
        'src/sum.js': `import 'helper';\n${RIGHT}`,
        'test/other.test.js': "import 'helper';\n",
      },
    });
    expect(seen).toMatchObject({ state: 'met', baseline: 'met', weakened: [] });
  });

  test('a check that could not run and fails on the old files with the new dependencies was unmet', async () => {
    const tests = `import 'helper';\n${sample['test/sum.test.js']}`;
    const { 'test/other.test.js': _, ...alone } = sample;
    const seen = await judged((folder) => write(folder, { ...helper, 'src/sum.js': RIGHT }), {
      files: { ...alone, 'test/sum.test.js': tests },
    });
    expect(seen).toMatchObject({ state: 'met', baseline: 'unmet', weakened: [] });
  });

  test('a command that runs no tests rests on nothing that a goal may not change', async () => {
    const seen = await judged(
      (folder) => write(folder, { 'answer.txt': '42\n', '.npmrc': 'x=y\n' }),
      {
        spec: { command: 'test -f answer.txt' },
      },
    );
    expect(seen).toMatchObject({ state: 'met', baseline: 'unmet', weakened: [] });
  });
});
