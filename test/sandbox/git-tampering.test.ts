import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { guardGit, TamperingLeft, tidyLeftBehind } from '../../src/sandbox/git-guard.ts';
import { GitUnanswered } from '../../src/sandbox/git-settings.ts';
import { runCommandTool } from '../../src/tools/run-command.ts';
import { describeWith, ROOT, testWith } from '../support/needs.ts';
import { temporaryFolder, testContext } from '../tools/support.ts';
import { GIT_TAMPERINGS, type GitTampering } from './git-tampering.ts';
import { SANDBOX, testBox } from './support.ts';

const run = promisify(execFile);

/** A person's repository, with a program beside it that leaves its mark. */
interface Ground {
  readonly workspace: string;
  readonly mark: string;
  readonly env: Record<string, string>;
}

const ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@b',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_EDITOR: 'true',
};

const PREPARED: Record<NonNullable<GitTampering['ground']>, string> = {
  user: '',
  submodule:
    'git init -q ../origin; git -C ../origin commit -q --allow-empty -m a; git -c protocol.file.allow=always submodule --quiet add ../origin sub; git commit -qm sub',
  linked: 'git worktree add -q ../linked',
  'shared settings': 'git config include.path ../.gitshared',
  'settings of worktrees': 'git config extensions.worktreeConfig true',
};

async function groundOf({ ground = 'user' }: Pick<GitTampering, 'ground'>): Promise<Ground> {
  const root = await temporaryFolder();
  const main = join(root, 'main');
  const workspace = ground === 'linked' ? join(root, 'linked') : main;
  const mark = join(workspace, 'ran');
  const evil = join(workspace, 'evil.sh');
  const env = { ...ENVIRONMENT, HOME: root, MAIN: main, MARK: mark, EVIL: evil };
  await mkdir(main);
  await bash(`git init -q; git commit -q --allow-empty -m first; ${PREPARED[ground]}`, main, env);
  return { workspace, mark, env };
}

/** As a person would, outside of every sandbox; however it ends. */
async function bash(command: string, cwd: string, env: Record<string, string>): Promise<void> {
  await run('bash', ['-c', command], { cwd, env, timeout: 120_000 }).catch(() => {});
}

const asScript = ({ env }: Ground, tamper: string): string =>
  `export ${Object.entries(env)
    .filter(([name]) => /^(GIT_|MAIN|MARK|EVIL)/.test(name))
    .map(([name, value]) => `${name}='${value}'`)
    .join(' ')}
  printf '#!/bin/sh\\ntouch ${env.MARK}\\n' > "$EVIL"; chmod +x "$EVIL"; ${tamper}`;

describeWith(SANDBOX, 'of what a command leaves, git runs and follows nothing later', () => {
  test('after any of them', async () => {
    const grounds = await Promise.all(GIT_TAMPERINGS.map(groundOf));
    let at = 0;
    // All share a helper, which takes longer to start than they to run.
    const workspace = () => grounds[at]?.workspace ?? '';
    const ground = () => ({ goalId: `g-${at}`, workspace: workspace(), network: 'none' as const });
    const box = await testBox({ ground });
    const run = (command: string) => box.run(command, { cwd: workspace() });
    const wrong: string[] = [];
    for (const { name, tamper, trigger } of GIT_TAMPERINGS) {
      const { env, mark, ...place } = grounds[at] as Ground;
      const { disarmed = [] } = await run(asScript({ env, mark, ...place }, tamper));
      await bash(trigger, place.workspace, env);
      const after = await run('git status >/dev/null');
      const isSafe = !existsSync(mark) && disarmed.length > 0;
      if (!isSafe || after.exitCode !== 0 || after.disarmed !== undefined) wrong.push(name);
      at += 1;
    }
    expect(wrong).toEqual([]);
  });
});

describe('without a sandbox the same runs and follows it, so that the tests above can fail', () => {
  test('after each of them', async () => {
    const harmless: string[] = [];
    const tried = GIT_TAMPERINGS.map(async (one) => {
      const ground = await groundOf(one);
      await bash(asScript(ground, one.tamper), ground.workspace, ground.env);
      await bash(one.trigger, ground.workspace, ground.env);
      if (!existsSync(ground.mark)) harmless.push(one.name);
    });
    await Promise.all(tried);
    expect(harmless).toEqual([]);
  });
});

describeWith(SANDBOX, 'what is no tampering', () => {
  test('what the person had before the goal stays, also in nested repositories', async () => {
    const { workspace, env } = await groundOf({});
    await bash(
      'git init -q own; cd own; git config alias.x "!true"; printf "#!/bin/sh" > .git/hooks/pre-push; chmod +x .git/hooks/pre-push; ln -s HEAD .git/SYM',
      workspace,
      env,
    );
    const box = await testBox({ workspace });
    const said = await box.run(
      'cd own && echo a > a && git add a && git -c user.name=A -c user.email=a@b commit -qm a',
    );
    expect(said).toMatchObject({ exitCode: 0 });
    expect(said.disarmed).toBeUndefined();
    expect((await stat(join(workspace, 'own/.git/hooks/pre-push'))).mode & 0o111).not.toBe(0);
    expect(await readFile(join(workspace, 'own/.git/config'), 'utf8')).toContain('[alias]');
    const worse = await box.run('git -C own config alias.y "!true"');
    expect(worse.disarmed).toEqual(['alias.y in own/.git/config']);
    expect(await readFile(join(workspace, 'own/.git/config'), 'utf8')).toContain('x = !true');
  });

  test('clones, branches, worktrees and names of its own stay as the goal made them', async () => {
    const { workspace, env } = await groundOf({});
    const box = await testBox({ workspace });
    const said = await box.run(
      `${Object.entries(env)
        .filter(([name]) => name.startsWith('GIT_'))
        .map(([name, value]) => `export ${name}=${value}`)
        .join('; ')}
       git clone -q . copy; cd copy; git config user.name B; git checkout -q -b work; git worktree add -q ../tree; git -C ../tree status; git sparse-checkout set a`,
    );
    expect(said).toMatchObject({ exitCode: 0 });
    expect(said.disarmed).toBeUndefined();
    const config = await readFile(join(workspace, 'copy/.git/config'), 'utf8');
    expect(config).toContain('name = B');
    expect(config).toContain(`url = ${workspace}`);
  });
});

test('a command whose worker died is tidied up after before the next one, or as a worker starts', async () => {
  const { workspace, env } = await groundOf({});
  const folder = await temporaryFolder();
  const look = { reach: [workspace], sealed: new Set<string>() };
  const lost = await guardGit(folder, look);
  await bash('git config core.pager evil', workspace, env);
  lost.lose();
  const settings = () => readFile(join(workspace, '.git/config'), 'utf8');
  await (await guardGit(folder, look)).tidy();
  expect(await settings()).not.toContain('evil');
  const again = await guardGit(folder, look);
  await bash('git config core.editor evil', workspace, env);
  await tidyLeftBehind(folder);
  expect(await settings()).toContain('evil');
  again.lose();
  await tidyLeftBehind(folder);
  expect(await settings()).not.toContain('evil');
});

test('a mark that does not say what was there before takes nothing away: what may be of anybody is told, once', async () => {
  const { workspace, env } = await groundOf({});
  const folder = await temporaryFolder();
  const look = { reach: [workspace], sealed: new Set<string>() };
  const settings = () => readFile(join(workspace, '.git/config'), 'utf8');
  await bash('git config alias.first "!true"', workspace, env);
  const dead = await guardGit(folder, look);
  const running = join(folder, 'running');
  const [name = ''] = await readdir(running);
  const { keys, ...old } = JSON.parse(await readFile(join(running, name), 'utf8'));
  dead.lose();
  await writeFile(join(running, name), JSON.stringify(old));
  await writeFile(join(running, `${name}-torn`), '');
  // Somebody else takes it away just now.
  await symlink(join(folder, 'none'), join(running, `${name}-gone`));
  await writeFile(join(folder, 'git-baseline.json'), JSON.stringify(keys));
  await bash('git config core.pager mine', workspace, env);
  await tidyLeftBehind(folder);
  // Cut off before it could tell.
  (await guardGit(folder, look)).lose();
  const guard = await guardGit(folder, look);
  await bash('git config core.editor evil', workspace, env);
  expect(await guard.tidy()).toEqual({
    disarmed: ['core.editor in .git/config'],
    undecided: ['core.pager in .git/config'],
  });
  expect(await settings()).toContain('pager = mine');
  expect(await settings()).toContain('first = !true');
  const next = await guardGit(folder, look);
  expect(await next.tidy()).toEqual({ disarmed: [], undecided: [] });
  expect(await readdir(running)).toEqual([`${name}-gone`]);
});

testWith(SANDBOX)(
  'what nobody knows whose it is stands in the receipt, and the model hears to leave it',
  async () => {
    const { workspace, env } = await groundOf({});
    await bash("git init -q own; git -C own config alias.x '!true'", workspace, env);
    const box = await testBox({ workspace });
    await box.run('true');
    const running = join(box.home, 'sandbox/g-1/running');
    await writeFile(join(running, '1-1-old'), JSON.stringify({ reach: [workspace], sealed: [] }));
    const context = testContext(workspace, box.effects);
    const look = () => runCommandTool.run({ command: 'echo a' }, context, undefined);
    const { notes, receipt, outcome } = await look();
    expect(receipt.undecided).toEqual(['alias.x in own/.git/config']);
    expect(notes?.join()).toMatch(
      /Still there.*Leave it to a person: "alias.x in own\/.git\/config"$/,
    );
    expect(outcome).toBe('succeeded');
    expect((await look()).receipt.undecided).toBeUndefined();
  },
);

test('what a person puts into git beside the goal stays, and what comes while a command runs does not', async () => {
  const { workspace, env } = await groundOf({});
  const folder = await temporaryFolder();
  const look = { reach: [workspace], sealed: new Set<string>() };
  await (await guardGit(folder, look)).tidy();
  const byHand = `git init -q own; git -C own config alias.x '!true'; mkdir -p .git/rebase-merge;
    printf 'exec make test\n' > .git/rebase-merge/git-rebase-todo;
    printf '#!/bin/sh\n' > own/.git/hooks/pre-push; chmod +x own/.git/hooks/pre-push`;
  await bash(byHand, workspace, env);
  const guard = await guardGit(folder, look);
  await bash("git -C own config alias.y '!true'", workspace, env);
  expect(await guard.tidy()).toEqual({ disarmed: ['alias.y in own/.git/config'], undecided: [] });
  const text = (path: string) => readFile(join(workspace, path), 'utf8');
  expect(await text('own/.git/config')).toContain('x = !true');
  expect(await text('.git/rebase-merge/git-rebase-todo')).toContain('exec make test');
  expect((await stat(join(workspace, 'own/.git/hooks/pre-push'))).mode & 0o111).not.toBe(0);
});

test('BOX-22: what one command leaves is not there before another that began meanwhile, and is taken away from both', async () => {
  const { workspace, env } = await groundOf({});
  const home = await temporaryFolder();
  const look = { reach: [workspace], sealed: new Set<string>() };
  const plant = () => bash("git config alias.x '!true'", workspace, env);
  const first = await guardGit(join(home, 'g-1'), look);
  await plant();
  const second = await guardGit(join(home, 'g-2'), look);
  expect((await first.tidy()).disarmed).toEqual(['alias.x in .git/config']);
  await plant();
  expect((await second.tidy()).disarmed).toEqual(['alias.x in .git/config']);
});

test('a git that gives no answer is told as that: nothing is taken away, and no command runs', async () => {
  const { workspace, env } = await groundOf({});
  const folder = await temporaryFolder();
  const broken = await temporaryFolder();
  await writeFile(join(broken, 'git'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const look = { reach: [workspace], sealed: new Set<string>() };
  const guard = await guardGit(folder, look);
  await bash("git config alias.y '!true'", workspace, env);
  const settings = () => readFile(join(workspace, '.git/config'), 'utf8');
  const path = process.env.PATH;
  process.env.PATH = broken;
  try {
    await expect(guard.tidy()).rejects.toThrow(GitUnanswered);
    await expect(guardGit(folder, look)).rejects.toThrow(GitUnanswered);
  } finally {
    process.env.PATH = path;
  }
  expect(await settings()).toContain('y = !true');
  await guardGit(folder, look);
  expect(await settings()).not.toContain('y = !true');
});

/** Rights mean nothing to root. */
async function asNobody(paths: readonly string[], act: () => Promise<void>): Promise<void> {
  for (const path of paths) await chown(path, 65_534, 65_534);
  process.seteuid?.(65_534);
  try {
    await act();
  } finally {
    process.seteuid?.(0);
  }
}

testWith(ROOT)(
  'where tampering can not be taken away, no further command runs until it can',
  async () => {
    const folder = await temporaryFolder();
    const workspace = await temporaryFolder();
    execFileSync('git', ['init', '-q'], { cwd: workspace });
    const git = join(workspace, '.git');
    onTestFinished(() => chmod(git, 0o700));
    const look = { reach: [workspace], sealed: new Set([join(git, 'config'), join(git, 'hooks')]) };
    const guard = await guardGit(folder, look);
    await writeFile(join(git, 'commondir'), '/elsewhere');
    await asNobody([folder, join(folder, 'running'), workspace], async () => {
      // It belongs to another user by now, who lets nobody else write.
      await expect(guard.tidy()).rejects.toThrow(TamperingLeft);
      await expect(guardGit(folder, look)).rejects.toThrow(TamperingLeft);
    });
    await guardGit(folder, look);
    expect(await readdir(git)).not.toContain('commondir');
  },
);
