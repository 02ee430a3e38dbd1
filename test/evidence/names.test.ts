import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CommandCriterion } from '../../schema/criteria.ts';
import { PYTEST, testWith } from '../support/needs.ts';
import { temporaryFolder, testEffects } from '../tools/support.ts';
import { openGround } from './gate-ground.ts';
import { gateOver, openNamed, RIGHT, sum } from './names-ground.ts';
import { linkModules, project } from './runner-projects.ts';

describe('a gate runs a check plainly, and once more for the names of its tests', () => {
  test('R43 the plain run decides; only when it passed, names are asked for', async () => {
    const { rows, gate } = await openNamed(RIGHT);
    expect(await gate()).toMatchObject({
      state: 'met',
      reason: 'exited 0',
      runs: ['plain', 'asked'],
      receipts: [1, 2],
    });
    expect(rows.map(({ receipt }) => receipt?.tests?.ran)).toEqual([2, 2]);
    expect(await gateOver(sum('a - b'))).toMatchObject({ state: 'unmet', runs: ['plain'] });
  });

  test('R43 what is right only with reporters fails plainly', async () => {
    const only = sum('(isWatched ? a + b : a - b)');
    expect(await gateOver(only)).toMatchObject({ state: 'unmet', runs: ['plain'] });
  });

  test('what is right only without reporters fails, and says what to do', async () => {
    const found = await gateOver(sum('(isWatched ? a - b : a + b)'));
    expect(found).toMatchObject({ state: 'unmet', runs: ['plain', 'asked'], receipts: [1, 2] });
    expect(found.reason).toMatch(/^passed, but not when its tests were asked .*: exited 1/);
    expect(found.remedy).toMatch(/it has to pass both ways/);
  });

  test.each([
    ['fewer tests', 'node --test', '', /ran 2 tests when it was asked .* and ran 1 test when/],
    ['no test', 'node a.test.js', '', /ran 2 tests when it was asked .* and told of no test/],
    [
      'what it made up',
      'node sum.js && node --test',
      "console.log('# tests 2');",
      // Newer Nodes print what a test file prints as it stands, so it is counted once more.
      /ran 2 tests when it was asked .* and ran 2 (?:and 2 )?and 1 tests/,
    ],
  ])(
    'R43 what leaves unless it is asked for names told of %s',
    async (_, command, prints, reason) => {
      const leaves = sum('a + b', `if (!isWatched) { ${prints} process.exit(0); }\n`);
      const found = await gateOver(leaves, { command });
      expect(found).toMatchObject({ state: 'unmet', runs: ['plain', 'asked'] });
      expect(found.reason).toMatch(reason);
    },
  );

  test('R43 what leaves with a reporter, too, ran no test', async () => {
    const found = await gateOver(sum('a + b', 'process.exit(0);\n'));
    expect(found).toMatchObject({ state: 'unmet', runs: ['plain', 'asked'] });
    expect(found.reason).toMatch(/^exited 0, but node:test ran no test/);
  });

  test('runners beside each other may end in any order', async () => {
    const one = "import test from 'node:test';\ntest('one', () => {});\n";
    const command =
      'if [ -n "$NODE_OPTIONS" ]; then node --test one/one.test.js; node --test a.test.js; ' +
      'else node --test a.test.js; node --test one/one.test.js; fi';
    const found = await gateOver(RIGHT, { command, files: { 'one/one.test.js': one } });
    expect(found).toMatchObject({ state: 'met', runs: ['plain', 'asked'] });
  });

  test('R43 the plain run cannot be told from a run of the model', async () => {
    const look = (name: string) =>
      `{ env | grep -v ^GOALKEEPER_ATTEMPT= | sort; pwd; umask; ulimit -a; tty; ` +
      `ls -l /proc/self/fd | grep -o ' [012] -> [a-z/]*'; tr '\\0' ' ' < /proc/$$/cmdline | ` +
      `tr -d '\\n' | wc -w; } > ${name}; true`;
    const folder = await project({});
    await openGround(folder, [{ kind: 'command', command: look('seen') }]).gate();
    const byGate = await readFile(join(folder, 'seen'), 'utf8');
    await testEffects().effects.runCommand({
      command: look('seen'),
      cwd: folder,
      timeoutMs: 30_000,
      maxOutputBytes: 1024,
      onOutput: () => {},
      signal: new AbortController().signal,
    });
    expect(byGate).toBe(await readFile(join(folder, 'seen'), 'utf8'));
    expect(byGate).toMatch(/^PATH=/m);
  });
});

describe('each runner tells as much with a reporter as without', () => {
  const vitestTest = "import { expect, it } from 'vitest';\nit('is', () => expect(1).toBe(1));\n";
  const python = { 'test_one.py': 'def test_one():\n    assert True\n' };

  const asks = async (command: string, files: Record<string, string>) => {
    const { gate, folder } = await openNamed(RIGHT, { command, files });
    await linkModules(folder);
    expect(await gate()).toMatchObject({ state: 'met', runs: expect.arrayContaining(['asked']) });
  };

  test.each([
    ['Vitest', 'npx vitest run b', { 'b.test.ts': vitestTest }],
    [
      'Vitest with a reporter that prints no summary',
      'npx vitest run b',
      {
        'b.test.ts': vitestTest,
        'vitest.config.js': "export default { test: { reporters: ['tap'] } };\n",
      },
    ],
  ])('%s', (_, command, files) => asks(command, files));

  testWith(PYTEST)('pytest', () => asks('python3 -m pytest -q', python));

  testWith(PYTEST)('pytest that takes no reporter is judged by its counts', async () => {
    const command = 'python3 -m pytest -q -p no:junitxml -p no:cacheprovider';
    const { gate, rows } = await openNamed(RIGHT, { command, files: python });
    expect((await gate()).state).toBe('met');
    expect(rows.at(-1)?.receipt?.tests).toMatchObject({ runner: 'pytest', ran: 1 });
  });
});

describe('names cost a second run only where they are of use', () => {
  test('a check without a runner runs once', async () => {
    const { runs } = await gateOver(RIGHT, { command: 'test -f sum.js' });
    expect(runs).toEqual(['plain']);
  });

  test('a script runs twice where a runner spoke in it, or told names at the baseline', async () => {
    const command = 'sh all.sh';
    const silent = { command, files: { 'all.sh': 'node sum.js\n' } };
    expect((await gateOver(RIGHT, silent)).runs).toEqual(['plain']);
    const spoke = { command, files: { 'all.sh': 'node --test\n' } };
    expect((await gateOver(RIGHT, spoke)).runs).toEqual(['plain', 'asked']);
    const quiet = {
      command: 'sh check.sh',
      files: { 'check.sh': 'node --test > /dev/null\n' },
    };
    expect((await gateOver(RIGHT, quiet)).runs).toEqual(['plain']);
    const told = await gateOver(RIGHT, { ...quiet, wereTold: true });
    expect(told).toMatchObject({ state: 'met', runs: ['plain', 'asked'] });
  });

  test('a runner that told names at the baseline and is silent now is refused', async () => {
    const leaves = sum('a + b', 'process.exit(0);\n');
    const files = { 'check.sh': 'node a.test.js\n' };
    const found = await gateOver(leaves, { command: 'sh check.sh', files, wereTold: true });
    expect(found).toMatchObject({ state: 'unmet', runs: ['plain', 'asked'] });
    const command = 'sh quiet.sh';
    const silent = { 'quiet.sh': 'node sum.js\n' };
    const gone = await gateOver(leaves, { command, files: silent, wereTold: true });
    expect(gone).toMatchObject({ state: 'unmet', runs: ['plain', 'asked'] });
    expect(gone.reason).toMatch(/named its tests at the start, names none/);
  });

  test('the baseline has all that it needs of one run with reporters', async () => {
    const { runs, lookFirst } = await openNamed(RIGHT);
    await lookFirst();
    expect(runs).toMatchObject([{ manner: 'asked' }]);
  });
});

describe('names beside the other rules of a gate', () => {
  /** Fails as the digits say, counted over all runs of this file, outside of the workspace. */
  const unsteady = (digits: string, count: string) =>
    sum(
      `(isBad ? 0 : a + b) || 0`,
      `import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync('${count}', '.');
const isBad = '${digits}'[readFileSync('${count}', 'utf8').length - 1] === '0';
`,
    );
  const openUnsteady = async (digits: string, more: Partial<CommandCriterion> = {}) =>
    await openNamed(unsteady(digits, join(await temporaryFolder(), 'count')), { more });

  test('with attempts each of the two runs may be tried so often', async () => {
    const { gate } = await openUnsteady('0101', { attempts: 2 });
    const found = await gate();
    expect(found).toMatchObject({ state: 'met', receipts: [1, 2, 3, 4] });
    expect(found.runs).toEqual(['plain', 'plain', 'asked', 'asked']);
    expect(found.reason).toMatch(/^2 of 2 attempts/);
  });

  test('a suite that failed when asked has to pass three times, then names once are enough', async () => {
    const { gate } = await openUnsteady('101111');
    expect(await gate()).toMatchObject({ state: 'unmet', runs: ['plain', 'asked'] });
    const later = await gate('it failed before');
    expect(later).toMatchObject({ state: 'met', runs: ['plain', 'plain', 'plain', 'asked'] });
    expect(later.reason).toMatch(/3 times in a row/);
  });

  test('clean: both runs are in the same fresh checkout, after its setup', async () => {
    const more = { check: 'clean', setup: 'echo > made.txt' } as const;
    const command = 'test -f made.txt && node --test';
    const { gate, runs } = await openNamed(RIGHT, { command, more });
    expect(await gate()).toMatchObject({ state: 'met', receipts: [1, 2, 3] });
    expect(runs.map(({ manner }) => manner)).toEqual(['plain', 'plain', 'asked']);
    expect(new Set(runs.map(({ cwd }) => cwd)).size).toBe(1);
    expect(runs[0]?.cwd).toContain('goalkeeper-checkout-');
  });

  test('an exit code that is expected counts for both runs', async () => {
    const wrong = { more: { expectExit: 1 } };
    expect(await gateOver(sum('a - b'), wrong)).toMatchObject({
      state: 'met',
      runs: ['plain', 'asked'],
    });
    const apart = await gateOver(sum('(isWatched ? a + b : a - b)'), wrong);
    expect(apart).toMatchObject({ state: 'unmet', runs: ['plain', 'asked'] });
    expect(apart.reason).toMatch(/exited 0, 1 was expected/);
  });

  test('a gate that is ended between the two runs says nothing', async () => {
    const ended = new AbortController();
    const { ports, runs, rows, gate } = await openNamed(RIGHT, { signal: ended.signal });
    const { settleCall } = ports.journal;
    Object.assign(ports.journal, {
      settleCall: async (...call: Parameters<typeof settleCall>) => {
        const row = await settleCall(...call);
        ended.abort();
        return row;
      },
    });
    await expect(gate()).rejects.toThrow(/abort/i);
    expect(runs).toMatchObject([{ manner: 'plain' }]);
    expect(rows).toHaveLength(1);
  });
});
