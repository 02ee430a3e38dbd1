import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { gitIn } from '../support/git.ts';
import { openNpmRegistry } from '../support/npm-registry.ts';
import { openCheckBench, project, RIGHT, WRONG, writeAll } from './check-ground.ts';

const { repository, check, close } = openCheckBench();
afterAll(close);

test('CHK-3 a claim without work is refused, with what the check said', async () => {
  const folder = await repository({ 'src/greet.sh': `# greets\n${WRONG}` });
  const found = await check(folder);
  expect([found.exitCode, found.status]).toEqual([1, 'refused']);
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
  const found = await check(folder, { criteria: [], change: [] });
  expect(found.terms).toContain('goalkeeper.yaml of');
  expect(found.criteria).toMatchObject([{ spec: { command: 'sh test/run.sh' }, state: 'unmet' }]);
  expect(found.exitCode).toBe(1);
});

test('CHK-5 new tests that a person accepts prove the work that turns them', async () => {
  const folder = await repository(
    {
      'src/greet.sh': '[ -n "$1" ] && echo "Hello, $1!" || echo "Hello, you!"\n',
      'test/you.test.sh': 'test "$(sh src/greet.sh)" = "Hello, you!"\n',
    },
    { ...project, 'src/greet.sh': RIGHT },
  );
  const before = await check(folder);
  expect([before.exitCode, before.status]).toEqual([1, 'held']);
  expect(before.wayOut).toContain("--accept 'test/you.test.sh'");
  const found = await check(folder, { accept: ['new:test/**'] });
  expect(found.summary).toContain('with test/you.test.sh, as accepted');
  expect(found.exitCode).toBe(0);
});

test('CHK-6 what held before is told apart from a proof, and passes where that is asked for', async () => {
  const right = { ...project, 'src/greet.sh': RIGHT };
  const tidied = await repository({ 'src/greet.sh': `# greets\n${RIGHT}` }, right);
  expect((await check(tidied)).exitCode).toBe(1);
  const held = await check(tidied, { acceptsHeld: true });
  expect([held.exitCode, held.status]).toEqual([0, 'held']);
  const broken = { 'src/greet.sh': WRONG, 'test/greets.test.sh': 'true\n' };
  const bent = await repository(broken, right);
  const found = await check(bent, { accept: ['test/**'], acceptsHeld: true });
  expect(found.criteria[0]?.reason).toContain('with what was accepted alone');
  expect(found.exitCode).toBe(1);
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
  const open = await check(folder);
  expect(open.questions).toMatchObject([{ name: 'node_modules/', kind: 'packages' }]);
  const accept = ['node_modules/'];
  expect(await check(folder, { accept })).toMatchObject({ exitCode: 0, accepted: accept });
  writeFileSync(join(folder, 'package.json'), '{"name":"greeter","dependencies":{"helper":"2"}}\n');
  gitIn(folder)('commit', '-q', '-a', '-m', 'more');
  const found = await check(folder, { accept });
  expect(found.notices.join()).toContain('package.json differs from the base');
  expect(found.exitCode).toBe(2);
});

test('CHK-17, CHK-19 packages that the work needs are a question about its manifest, and installed where a person accepts it', async () => {
  const registry = await openNpmRegistry({
    expected: { 'index.js': 'module.exports = 3;\n' },
    plus: { 'index.js': 'module.exports = (a, b) => a + b;\n' },
  });
  const packagesOf = (...names: string[]) => {
    const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']));
    const own = { name: 'sums', dependencies };
    const entries = names.map((name) => [`node_modules/${name}`, registry.entry(name)]);
    const packages = { '': own, ...Object.fromEntries(entries) };
    return {
      'package.json': JSON.stringify(own),
      'package-lock.json': JSON.stringify({ name: 'sums', lockfileVersion: 3, packages }),
    };
  };
  const folder = await repository(
    { ...packagesOf('expected', 'plus'), 'src/sum.js': "exports.sum = require('plus');\n" },
    {
      ...packagesOf('expected'),
      '.gitignore': 'node_modules/\n',
      '.npmrc': `registry=${registry.url}\n`,
      'src/sum.js': 'exports.sum = (a, b) => a - b;\n',
      'test/sum.test.js':
        "const { sum } = require('../src/sum.js');\nrequire('node:test').test('sums', () => require('node:assert').equal(sum(1, 2), require('expected')));\n",
    },
  );
  const criteria = ['node --test test/*.test.js'];
  const names = ['package-lock.json', 'package.json'];
  const open = await check(folder, { criteria });
  expect(open.questions.map(({ name }) => name)).toEqual(names);
  // So it is where the work tree has them installed.
  for (const [name, said] of [
    ['expected', 'module.exports = 3;'],
    ['plus', 'module.exports = (a, b) => a + b;'],
  ]) {
    const own = `node_modules/${name}`;
    const manifest = JSON.stringify({ name, version: '1.0.0', main: 'index.js' });
    await writeAll(folder, { [`${own}/package.json`]: manifest, [`${own}/index.js`]: `${said}\n` });
  }
  const installed = await check(folder, { criteria });
  expect(installed.questions.map(({ name }) => name)).toEqual(names);
  const found = await check(folder, { criteria, accept: names });
  expect(found).toMatchObject({ exitCode: 0, status: 'proven' });
  expect(found.proof?.setups).toMatchObject([{ added: ['plus@1.0.0'] }]);
});

test('CHK-13 what failed on the base once and held there once shows nothing of the work', async () => {
  const until = Date.now() + 15_000;
  const folder = await repository(
    { 'src/greet.sh': `# greets\n${RIGHT}` },
    {
      ...project,
      'src/greet.sh': RIGHT,
      'test/run.sh': `[ "$(date +%s%3N)" -gt ${until} ] || { echo "test/run.sh: line 1"; exit 1; }\n${project['test/run.sh']}`,
    },
  );
  const clock = new Int32Array(new SharedArrayBuffer(4));
  // The first run ends before that time, and all others begin behind it.
  const onRun = () => void Atomics.wait(clock, 0, 0, Math.max(0, until - Date.now() + 10));
  const found = await check(folder, {}, { onRun });
  expect(found.criteria[0]?.reason).toContain('failed on the base once, and held once');
  expect([found.exitCode, found.status]).toEqual([1, 'held']);
});
