import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Criterion } from '../../schema/criteria.ts';
import type { GoalBrief } from '../../src/contract/goal-brief.ts';
import { createScopeLook } from '../../src/evidence/proof/scope-look.ts';
import { type Git, gitIn, startRepository } from '../support/git.ts';
import { temporaryFolder } from '../tools/support.ts';
import { openGround } from './gate-ground.ts';

let path: string;
beforeEach(async () => {
  path = await temporaryFolder();
});

async function put(name: string, text: string) {
  await mkdir(dirname(join(path, name)), { recursive: true });
  await writeFile(join(path, name), text);
}

const asks = (name: string): Criterion => ({ kind: 'file', path: name, exists: true });
const runs = (command: string): Criterion => ({ kind: 'command', command });

/** The last criterion at the baseline, and at the gate after `work`. */
async function judged(
  criteria: readonly Criterion[],
  work: (git: Git) => Promise<unknown>,
  workspace: Partial<GoalBrief['workspace']> = {},
) {
  const ground = openGround(
    path,
    criteria,
    {},
    {
      workspace: { name: 'w', path, marker: '', writeSeq: 0, ...workspace },
    },
  );
  const baseline = await ground.lookFirst();
  await work(gitIn(path));
  const found = (await ground.gate()).criteria;
  const last = `c${criteria.length}`;
  const after = found.find(({ criterionId }) => criterionId === last);
  return { before: baseline?.states[last], after };
}

const IGNORED = 'in no commit and in no proof';

describe('a file that git ignores', () => {
  beforeEach(async () => {
    await put('.gitignore', 'out/\nanswer.txt\n');
    startRepository(path);
  });

  const kept = async () => {
    await put('a/b.txt', '42');
    await put('a\\b.txt', '42');
    await put('kept.txt', '42');
  };

  test('PRF-33 meets no criterion: the refusal names the rule that ignores it, and what to do', async () => {
    const found = await judged([asks('answer.txt')], () => put('answer.txt', '42'));
    expect(found).toMatchObject({
      before: 'unmet',
      after: {
        state: 'unmet',
        reason: `answer.txt is ignored by git (.gitignore:2: answer.txt): it is ${IGNORED}`,
        remedy: expect.stringContaining('dispute_criterion'),
      },
    });
    const inside: Criterion = { kind: 'file', path: './out/a.txt', matches: '42' };
    expect((await judged([inside], () => put('out/a.txt', '42'))).after).toMatchObject({
      state: 'unmet',
      reason: `out/a.txt is ignored by git (.gitignore:1: out/): it is ${IGNORED}`,
    });
    const folder: Criterion = { kind: 'file', path: 'out', exists: true, type: 'folder' };
    expect((await judged([folder], async () => {})).after?.state).toBe('unmet');
    for (const name of [join(path, 'a/b.txt'), './a//b.txt', 'a\\b.txt', 'a/../kept.txt'])
      expect((await judged([asks(name)], kept)).after).toMatchObject({ state: 'met' });
    const top: Criterion = { kind: 'file', path: '.', exists: true, type: 'folder' };
    expect((await judged([top], async () => {})).after).toMatchObject({ state: 'met' });
    expect((await judged([asks('kept.txt')], () => put('kept.txt', '42'))).after).toMatchObject({
      state: 'met',
      isHostChecked: true,
    });
  });

  test.each<[string, string, (git: Git) => Promise<unknown>]>([
    [
      'the goal ignores itself',
      'b.txt',
      async () => {
        await put('.gitignore', 'b.txt\n');
        await put('b.txt', '42');
      },
    ],
    [
      'the goal takes the rule out for',
      'answer.txt',
      async () => {
        await put('.gitignore', '');
        await put('answer.txt', '42');
      },
    ],
    [
      'info/exclude names',
      'b.txt',
      async () => {
        await put('.git/info/exclude', 'b.txt\n');
        await put('b.txt', '42');
      },
    ],
    [
      'is committed by force',
      'answer.txt',
      async (git) => {
        await put('answer.txt', '42');
        git('add', '-f', 'answer.txt');
        git('commit', '-q', '-m', 'forced');
      },
    ],
    [
      'a kept link leads to',
      'b.txt',
      async () => {
        await put('out/b.txt', '42');
        await symlink('out/b.txt', join(path, 'b.txt'));
      },
    ],
  ])('PRF-34 nor does one that %s', async (_, name, work) => {
    const { after } = await judged([asks(name)], work);
    expect(after).toMatchObject({ state: 'unmet', reason: expect.stringContaining(IGNORED) });
  });

  test('PRF-35 of packages, and an empty folder, are in no commit either', async () => {
    const packages = asks('node_modules/lib/index.js');
    const { after } = await judged([packages], () => put('node_modules/lib/index.js', '1'));
    expect(after).toMatchObject({ state: 'unmet', reason: expect.stringContaining(IGNORED) });
    const folder: Criterion = { kind: 'file', path: 'empty', exists: true, type: 'folder' };
    const empty = await judged([folder], () => mkdir(join(path, 'empty')));
    expect(empty.after).toMatchObject({ state: 'unmet', reason: expect.stringContaining(IGNORED) });
  });

  test('PRF-36 is proven where a command of an earlier criterion makes it from what is delivered', async () => {
    await put('src/app.txt', 'old\n');
    const git = gitIn(path);
    git('add', '-A');
    git('commit', '-q', '-m', 'app');
    const build = runs('mkdir -p out && cp src/app.txt out/app.txt');
    const built: Criterion = { kind: 'file', path: 'out/app.txt', matches: '^new$' };
    const work = async () => {
      await put('src/app.txt', 'new\n');
      await put('out/app.txt', 'new\n');
    };
    expect(await judged([build, asks('out/app.txt'), built], work)).toMatchObject({
      before: 'unmet',
      after: {
        state: 'met',
        baseline: 'unmet',
        isHostChecked: true,
        reason: expect.stringContaining('as the commands before it make it'),
      },
    });
    await rm(join(path, 'out'), { recursive: true });
    git('checkout', '-q', '.');
    const byHand = await judged([build, asks('out/hand.txt')], () => put('out/hand.txt', 'x'));
    expect(byHand.after).toMatchObject({
      state: 'unmet',
      reason: expect.stringContaining(IGNORED),
    });
    const [any] = [asks('out/app.txt')];
    await rm(join(path, 'out'), { recursive: true });
    // What the original makes as well shows nothing of the work.
    expect(
      await judged([build, any as Criterion], () => put('out/app.txt', 'old\n')),
    ).toMatchObject({
      before: 'unmet',
      after: { state: 'met', baseline: 'met' },
    });
  });

  test('PRF-37 is told at the start, where a criterion asks for one', async () => {
    const looks = createScopeLook('/nonexistent', 'here');
    const noticesOf = async (...criteria: Criterion[]) => {
      const tracked = criteria.map((spec, index) => ({ criterionId: `c${index + 1}`, spec }));
      const start = { criteria: tracked, scope: { change: ['*'] }, policy: { proof: 'scope' } };
      const at = { name: 'w', path, host: 'here' };
      const { notices } = await looks.look(at, start as Parameters<typeof looks.look>[1]);
      return notices.filter(({ code }) => code === 'ignored_file');
    };
    expect(await noticesOf(asks('kept.txt'), asks('.gitignore'))).toEqual([]);
    expect(await noticesOf(asks('out/app.txt'))).toMatchObject([
      {
        level: 'supported',
        text: expect.stringMatching(/out\/app\.txt by \.gitignore:1: out\/.*before it/s),
      },
    ]);
    expect(await noticesOf(runs('make'), asks('out/app.txt'))).toMatchObject([
      { level: 'verified', text: expect.stringMatching(/out\/app\.txt.*command/s) },
    ]);
    const ground = openGround(path, [asks('answer.txt')]);
    expect((await ground.lookFirst())?.proof).toMatchObject({
      notices: expect.arrayContaining([expect.objectContaining({ code: 'ignored_file' })]),
    });
  });
});

describe('a file in a submodule', () => {
  const branch = 'goal/g-1';
  beforeEach(async () => {
    const inner = await temporaryFolder();
    await writeFile(join(inner, 'b.txt'), 'b');
    startRepository(inner);
    await put('a.txt', 'a');
    const git = startRepository(path);
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    git('commit', '-q', '-m', 'a submodule');
  });

  test('CON-149 meets no criterion where nobody keeps it: in a worktree, and where none is checked out', async () => {
    const [added, changed] = [asks('sub/c.txt'), asks('sub')];
    const inside = { ...changed, type: 'folder' } as const;
    const unkept = { state: 'unmet', reason: expect.stringContaining('in the submodule sub') };
    const add = () => put('sub/c.txt', '42');
    expect((await judged([added], add)).after).toMatchObject({ state: 'met' });
    await rm(join(path, 'sub/c.txt'));
    await rm(join(path, 'sub/.git'));
    expect((await judged([added], add)).after).toMatchObject(unkept);
    await rm(join(path, 'sub/c.txt'));
    await rm(join(path, 'sub/b.txt'));
    const workspace = { branch };
    expect((await judged([added], add, workspace)).after).toMatchObject(unkept);
    await rm(join(path, 'sub/c.txt'));
    expect((await judged([inside], add, workspace)).after).toMatchObject(unkept);
  });

  test('CON-150 counts as kept once the goal made the submodule a folder of its own', async () => {
    const work = async (git: Git) => {
      await rm(join(path, 'sub/.git'));
      git('rm', '-q', '--cached', 'sub');
      git('add', 'sub');
      git('commit', '-q', '-m', 'its files');
      await put('sub/c.txt', '42');
    };
    const { after } = await judged([asks('sub/c.txt')], work, { branch });
    expect(after).toMatchObject({ state: 'met' });
  });
});

describe('a path that leads to nothing', () => {
  beforeEach(async () => {
    await put('a.txt', 'a');
    startRepository(path);
  });

  test.each<[string, Criterion, 'met' | 'unmet', () => Promise<unknown>]>([
    ['through a file', asks('d/x'), 'unmet', () => put('d', '')],
    ['through a file of the start', asks('a.txt/x'), 'unmet', () => put('b.txt', '')],
    ['in a circle', asks('one/x'), 'unmet', () => symlink('one', join(path, 'one'))],
    ['where packages are a file', asks('b.txt'), 'met', () => packages(put('node_modules', ''))],
    [
      'where packages are a circle',
      asks('b.txt'),
      'met',
      () => packages(symlink('node_modules', join(path, 'node_modules'))),
    ],
  ])('CON-148 %s is judged', async (_, criterion, state, work) => {
    const { after } = await judged([runs('test -f a.txt'), criterion], work);
    expect(after).toMatchObject({ state });
  });

  const packages = async (made: Promise<unknown>) => {
    await made;
    await put('b.txt', '42');
  };
});

describe('around the workspace', () => {
  test('PRF-38 rules of the folders above count, unless they ignore the workspace as a whole', async () => {
    const top = path;
    await put('.gitignore', 'out/\nscratch/\n');
    await put('packages/a/a.txt', 'a');
    startRepository(path);
    path = join(top, 'packages/a');
    expect((await judged([asks('out/b.txt')], () => put('out/b.txt', '42'))).after).toMatchObject({
      state: 'unmet',
      reason: `out/b.txt is ignored by git (.gitignore:1: out/): it is ${IGNORED}`,
    });
    path = join(top, 'scratch/b');
    await put('a.txt', 'a');
    expect((await judged([asks('b.txt')], () => put('b.txt', '42'))).after?.state).toBe('met');
  });

  test('PRF-39 without a repository nothing is ignored by git', async () => {
    await put('.gitignore', 'answer.txt\n');
    const { after } = await judged([asks('answer.txt')], () => put('answer.txt', '42'));
    expect(after).toMatchObject({ state: 'met', isHostChecked: true });
  });
});
