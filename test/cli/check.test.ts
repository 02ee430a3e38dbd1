import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CheckResult } from '../../schema/check-result.ts';
import { gitIn, startRepository } from '../support/git.ts';
import { start } from './command-line.ts';

/** The judge alone, through the real command line: no service, no database. */

const GREETS = 'test "$(sh src/greet.sh Ada)" = "Hello, Ada!"\n';
const CHECK = `for one in test/*.test.sh; do sh "$one" || { echo "$one: line 1"; exit 1; }; done\n`;
const WRONG = 'echo "Hello"\n';
const RIGHT = 'echo "Hello, $1!"\n';
const project = {
  'src/greet.sh': WRONG,
  'test/greets.test.sh': GREETS,
  'test/run.sh': CHECK,
};
const SCOPE = ['--change', 'src/**', '--criterion', 'sh test/run.sh'];

let bench: string;
beforeAll(() => {
  bench = mkdtempSync(join(tmpdir(), 'goalkeeper-check-'));
});
afterAll(() => rmSync(bench, { recursive: true, force: true }));

async function writeAll(folder: string, files: Readonly<Record<string, string | null>>) {
  for (const [path, text] of Object.entries(files)) {
    if (text === null) rmSync(join(folder, path));
    else {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  }
}

/** A repository with the project on `main`, and the changes on a branch of their own. */
async function repository(
  changes: Readonly<Record<string, string | null>>,
  files: Readonly<Record<string, string>> = project,
): Promise<string> {
  const folder = mkdtempSync(join(bench, 'repository-'));
  await writeAll(folder, files);
  const git = startRepository(folder);
  git('checkout', '-q', '-b', 'work');
  await writeAll(folder, changes);
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'work');
  return folder;
}

const goalkeeper = (args: readonly string[], environment: Record<string, string> = {}) =>
  start(args, { GOALKEEPER_HOME: join(bench, 'home'), ...environment }).done;

async function check(folder: string, ...more: string[]) {
  const ran = await goalkeeper(['check', '--repo', folder, '--head', 'HEAD', '--json', ...more]);
  return { exitCode: ran.exitCode, found: JSON.parse(ran.out) as CheckResult, err: ran.err };
}

test('CHK-1 an honest change is proven, and its bundle verifies again elsewhere', async () => {
  const folder = await repository({ 'src/greet.sh': RIGHT, 'notes.md': 'done\n' });
  const bundle = join(bench, 'proof.jsonl');
  const args = ['check', '--repo', folder, '--head', 'HEAD', ...SCOPE, '--bundle', bundle];
  const ran = await goalkeeper(args, { CI: 'true' });
  expect(ran.out).toContain('Proven: c1 failed before and holds by the work alone.');
  expect(ran.out).toContain('signed by a key of this run alone');
  expect(ran.exitCode).toBe(0);
  const verify = ['proof', 'verify', bundle, '--repo', folder, '--rerun'];
  const verified = await goalkeeper([...verify, '--key', `${bundle}.pem`]);
  expect(verified.err).toBe('');
  expect(verified.out).toContain('ran again here: c1 exited 0');
  expect(verified.out).toContain('beside it, and not proven: notes.md');
  expect((await goalkeeper(verify)).err).toContain('key_unknown');
});

test('CHK-2 a test that was bent is asked about, and accepted it proves nothing', async () => {
  const folder = await repository({ 'test/greets.test.sh': 'true\n' });
  const { exitCode, found } = await check(folder, ...SCOPE);
  expect(found.questions).toMatchObject([
    { name: 'test/greets.test.sh', kind: 'beyond_scope', accept: 'test/greets.test.sh' },
  ]);
  expect(found.questions[0]?.diff).toContain('+true');
  expect([exitCode, found.status]).toEqual([2, 'needs_person']);
  const accepted = await check(folder, ...SCOPE, '--accept', 'test/**');
  expect(accepted.found.criteria).toMatchObject([{ baseline: 'met', state: 'met' }]);
  expect([accepted.exitCode, accepted.found.status]).toEqual([1, 'held']);
});

test('CHK-3 a claim without work is refused, with what the check said', async () => {
  const folder = await repository({ 'src/greet.sh': `# greets\n${WRONG}` });
  const { exitCode, found } = await check(folder, ...SCOPE);
  expect([exitCode, found.status]).toEqual([1, 'refused']);
  expect(found.criteria[0]?.reason).toContain('test/greets.test.sh: line 1');
});

test('CHK-4 the file of the base says what has to hold, whatever the work made of it', async () => {
  const terms =
    'criteria: [{kind: command, command: sh test/run.sh}]\nscope: {change: ["src/**"]}\n';
  const folder = await repository(
    {
      'goalkeeper.yaml': 'criteria: [{kind: command, command: test -f notes.md}]\n',
      'notes.md': '',
    },
    { ...project, 'goalkeeper.yaml': terms },
  );
  const { exitCode, found } = await check(folder);
  expect(found.terms).toContain('goalkeeper.yaml of');
  expect(found.criteria).toMatchObject([{ spec: { command: 'sh test/run.sh' }, state: 'unmet' }]);
  expect(exitCode).toBe(1);
});

test('CHK-5 new tests that a person accepts prove the work that turns them', async () => {
  const folder = await repository(
    {
      'src/greet.sh': '[ -n "$1" ] && echo "Hello, $1!" || echo "Hello, you!"\n',
      'test/you.test.sh': 'test "$(sh src/greet.sh)" = "Hello, you!"\n',
    },
    { ...project, 'src/greet.sh': RIGHT },
  );
  const before = await check(folder, ...SCOPE);
  expect([before.exitCode, before.found.status]).toEqual([1, 'held']);
  expect(before.found.wayOut).toContain("--accept 'test/you.test.sh'");
  const { exitCode, found } = await check(folder, ...SCOPE, '--accept', 'new:test/**');
  expect(found.summary).toContain('with test/you.test.sh, as accepted');
  expect(exitCode).toBe(0);
});

test('CHK-6 what held before is told apart from a proof, and passes where that is asked for', async () => {
  const right = { ...project, 'src/greet.sh': RIGHT };
  const tidied = await repository({ 'src/greet.sh': `# greets\n${RIGHT}` }, right);
  expect((await check(tidied, ...SCOPE)).exitCode).toBe(1);
  const held = await check(tidied, ...SCOPE, '--accept-held');
  expect([held.exitCode, held.found.status]).toEqual([0, 'held']);
  const broken = { 'src/greet.sh': WRONG, 'test/greets.test.sh': 'true\n' };
  const bent = await repository(broken, right);
  const accepts = ['--accept', 'test/**', '--accept-held'];
  const { exitCode, found } = await check(bent, ...SCOPE, ...accepts);
  expect(found.criteria[0]?.reason).toContain('with what was accepted alone');
  expect(exitCode).toBe(1);
});

test('CHK-7 what can’t be judged is a mistake with a way out, and runs nothing', async () => {
  const folder = await repository({});
  const told = async (...args: string[]) => {
    const { exitCode, out } = await goalkeeper(['check', '--json', ...args]);
    expect(exitCode).toBe(3);
    return (JSON.parse(out) as { error: { code?: string; detail: string; wayOut: string } }).error;
  };
  expect(await told('--repo', bench)).toMatchObject({ code: 'no_repository' });
  expect(await told('--repo', folder, ...SCOPE)).toMatchObject({ code: 'nothing_changed' });
  expect(await told('--repo', folder, '--base', 'nowhere')).toMatchObject({ code: 'base' });
  const scope = await told('--repo', folder, '--change', '../**');
  expect(scope.detail).toContain('a scope lies in the workspace');
  const other = await repository({ 'src/greet.sh': RIGHT });
  gitIn(other)('checkout', '-q', '--orphan', 'apart');
  gitIn(other)('commit', '-q', '--allow-empty', '-m', 'apart');
  expect((await told('--repo', other, '--base', 'work')).wayOut).toContain('--base');
  const found = await told('--repo', other, '--base', 'merge-base:main');
  expect(found.detail).toContain('no commit in common');
  const clone = join(bench, 'shallow');
  gitIn(bench)('clone', '-q', '--depth', '1', `file://${folder}`, clone);
  const shallow = await told('--repo', clone, '--base', 'main');
  expect(shallow.wayOut).toContain('fetch-depth: 0');
});

test('CHK-8 packages of the work tree are lent by a person’s word, and not beside a changed manifest', async () => {
  const files = {
    ...project,
    '.gitignore': 'node_modules/\n',
    'package.json': '{"name":"greeter"}\n',
    'test/run.sh': `test -f node_modules/helper/index.js && sh test/greets.test.sh || { echo "test/greets.test.sh: line 1"; exit 1; }\n`,
  };
  const folder = await repository({ 'src/greet.sh': RIGHT }, files);
  await writeAll(folder, { 'node_modules/helper/index.js': '1\n' });
  const asked = await check(folder, ...SCOPE);
  expect(asked.found.questions).toMatchObject([{ name: 'node_modules/', kind: 'packages' }]);
  expect((await check(folder, ...SCOPE, '--accept', 'node_modules/')).exitCode).toBe(0);
  writeFileSync(join(folder, 'package.json'), '{"name":"greeter","dependencies":{"helper":"2"}}\n');
  gitIn(folder)('commit', '-q', '-a', '-m', 'more');
  const { exitCode, found } = await check(folder, ...SCOPE, '--accept', 'node_modules/');
  expect(found.notices.join()).toContain('package.json differs from the base');
  expect(exitCode).toBe(2);
});
