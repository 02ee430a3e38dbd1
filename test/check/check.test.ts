import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkText } from '../../src/cli/check-text.ts';
import { failureOf } from '../../src/cli/failure.ts';
import { gitIn } from '../support/git.ts';
import { ROOT, testWith } from '../support/needs.ts';
import { type Asked, openCheckBench, RIGHT } from './check-ground.ts';

const { bench, repository, check, verify, close } = openCheckBench();
afterAll(close);

test('CHK-1 an honest change is proven, and its bundle verifies again elsewhere', async () => {
  const folder = await repository({ 'src/greet.sh': RIGHT, 'notes.md': 'done\n' });
  const bundle = join(bench, 'proof.jsonl');
  const found = await check(folder, { bundle }, { CI: 'true' });
  expect(found.summary).toBe('Proven: c1 failed before and holds by the work alone.');
  expect(checkText(found)).toContain('signed by a key of this run alone');
  expect(found.exitCode).toBe(0);
  expect(await verify(bundle, folder, `${bundle}.pem`)).toMatchObject({
    besides: ['notes.md'],
    rerun: [{ criterionId: 'c1', isMet: true }],
  });
  await expect(verify(bundle, folder, null)).rejects.toMatchObject({ code: 'key_unknown' });
});

test('CHK-2 a test that was bent is asked about, and accepted it proves nothing', async () => {
  const folder = await repository({ 'test/greets.test.sh': 'true\n' });
  const found = await check(folder);
  expect(found.questions).toMatchObject([
    { name: 'test/greets.test.sh', kind: 'beyond_scope', accept: 'test/greets.test.sh' },
  ]);
  expect(found.questions[0]?.diff).toContain('+true');
  expect([found.exitCode, found.status]).toEqual([2, 'needs_person']);
  const accepted = await check(folder, { accept: ['test/**'] });
  expect(accepted.criteria).toMatchObject([{ baseline: 'met', state: 'met' }]);
  expect([accepted.exitCode, accepted.status]).toEqual([1, 'held']);
});

test('CHK-7 what can’t be judged is a mistake with a way out, and runs nothing', async () => {
  const folder = await repository({});
  const told = async (repository: string, more: Partial<Asked> = {}) =>
    failureOf(await check(repository, more).catch((error: unknown) => error));
  const other = await repository({ 'src/greet.sh': RIGHT });
  gitIn(other)('checkout', '-q', '--orphan', 'apart');
  gitIn(other)('commit', '-q', '--allow-empty', '-m', 'apart');
  const doubled = await repository({ 'src/greet.sh': RIGHT });
  gitIn(doubled)('tag', 'main', 'work');
  const clone = join(bench, 'shallow');
  // Git starts another git for such an address, which takes no settings from the first.
  const asks = 'git -c safe.directory=* upload-pack';
  gitIn(bench)('clone', '-q', '-u', asks, '--depth', '1', `file://${folder}`, clone);
  const problems = [
    [await told(bench), 'no work tree of git'],
    [await told(folder, { base: 'HEAD' }), 'the base itself'],
    [await told(folder), 'No file differs'],
    [await told(folder, { base: 'nowhere' }), 'knows no commit'],
    [await told(folder, { change: ['../**'] }), 'a scope lies in the workspace'],
    [await told(other, { base: 'work' }), 'does not descend from work'],
    [await told(other, { base: 'merge-base:main' }), 'no commit in common'],
    [await told(doubled, { base: 'merge-base:main' }), 'main means several things'],
    [await told(clone, { base: 'main' }), 'shallow clone'],
  ] as const;
  for (const [{ exitCode, what, wayOut }, expected] of problems) {
    expect(what).toContain(expected);
    expect([exitCode, wayOut === '']).toEqual([3, false]);
  }
  expect(problems.at(-1)?.[0].wayOut).toContain('fetch-depth: 0');
});

testWith(ROOT)(
  'CHK-15 a check whose commands could not begin says so, and nothing of the work',
  async () => {
    const folder = await repository({ 'src/greet.sh': RIGHT });
    const closed = { GOALKEEPER_SANDBOX: 'off', GOALKEEPER_HOME: join(bench, 'closed') };
    const { exitCode, what, wayOut } = failureOf(
      await check(folder, {}, closed).catch((error: unknown) => error),
    );
    expect([exitCode, what]).toEqual([
      3,
      expect.stringMatching(/^No command could begin: .*bubblewrap/),
    ]);
    expect(wayOut).toContain('docs/security.md');
  },
);
