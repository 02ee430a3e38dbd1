import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import { type ForgeKind, type ForgeServer, openForgeServer } from '../support/forge-server.ts';
import { gitIn, startRepository } from '../support/git.ts';
import { TOKENS } from '../support/goal-world.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { start } from './command-line.ts';

const stray = reply.call('write_file', { path: 'notes/scratch.txt', content: 'not needed\n' });

let goals: ScriptedGoals;
let goalId: string;
/** The repository that the goal's worktree was made from. */
let path: string;
let home: string;
beforeAll(async () => {
  goals = await openScriptedGoals({ answers: sequence([write, stray, claim]) });
  ({ path, goalId } = await complete());
  home = mkdtempSync(join(tmpdir(), 'goalkeeper-person-'));
  writeFileSync(join(home, '.gitconfig'), '[user]\nname = Ada\nemail = ada@localhost\n');
});
afterAll(async () => {
  await goals.world.close();
  rmSync(home, { recursive: true, force: true });
});

async function complete() {
  const path = await goals.world.workspace({ 'README.md': '# shop\n' });
  startRepository(path);
  const id = await goals.start('answers', {
    objective: 'answers: write them\n\nAll of them, @everyone. <img src=x>',
    workspace: { path, mode: 'worktree' },
    scope: { change: ['answer.txt'] },
  });
  await goals.world.until(id, ({ status }) => status === 'complete');
  return { path, goalId: id };
}

/** The remote is empty but for the branch that the goal began with. */
async function forgeOf(kind: ForgeKind, repository = path): Promise<ForgeServer> {
  const forge = await openForgeServer(kind);
  onTestFinished(() => forge.close());
  const git = gitIn(repository);
  git('push', '-q', forge.folder, 'main:main');
  git('config', 'remote.origin.url', forge.remote);
  return forge;
}

const goalkeeper = (forge: Pick<ForgeServer, 'environment'>, ...args: string[]) =>
  start(args, {
    ...{ GOALKEEPER_URL: goals.world.url, GOALKEEPER_TOKEN: TOKENS.admin, HOME: home },
    ...{ GIT_CONFIG_NOSYSTEM: '1', ...forge.environment },
  }).done;

/** Copies of a world's files belong to its goals' user where no sandbox is. */
function chownTree(folder: string): void {
  execFileSync('chown', ['-R', `${process.getuid?.()}:${process.getgid?.()}`, folder]);
}

async function pulled(forge: ForgeServer, ...args: string[]) {
  const ran = await goalkeeper(forge, 'pr', goalId, '--yes', '--json', ...args);
  expect([ran.exitCode, ran.err]).toEqual([0, '']);
  return JSON.parse(ran.out);
}

/** Two signs with which no object of the repository begins: a link in their place takes none away. */
function freePrefix(checkout: string): string {
  const taken = new Set(readdirSync(join(checkout, '.git/objects')));
  const all = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, '0'));
  const free = all.find((one) => !taken.has(one));
  if (free === undefined) throw new Error('objects begin with all of them');
  return free;
}

describe('a pull request of a proven goal', () => {
  test.each(['github', 'gitlab', 'gitea'] as const)(
    'PULL-1 PULL-2 at %s is one commit of the proven tree, shows the proof, and is one however often it is asked for',
    async (kind) => {
      const forge = await forgeOf(kind);
      const first = await pulled(forge, '--draft');
      expect(first).toMatchObject({ number: 1, isNew: true, into: 'main' });
      const { git, pulls } = forge;
      const branch = `goal/${goalId}`;
      expect(git('log', '--format=%an %s', `main..${branch}`)).toBe('Ada answers: write them');
      expect(git('diff', '--name-status', 'main', branch)).toBe('A\tanswer.txt');
      expect(git('show', `${branch}:answer.txt`)).toBe('42');
      const bundle = await goals.world.client.text(`/v1/goals/${goalId}/proof`);
      const payload = JSON.parse(bundle.split('\n')[0] ?? '').payload;
      const { subject } = JSON.parse(Buffer.from(payload, 'base64').toString());
      expect(git('rev-parse', `${branch}^{tree}`)).toBe(subject[0].digest.gitTree);
      const trailers = git('log', '-1', '--format=%(trailers)', branch);
      expect(trailers).toMatch(
        new RegExp(`^Goal-Id: ${goalId}\nGoal-Level: verified\nGoal-Proof: sha256:[0-9a-f]{64}$`),
      );
      const [pull] = pulls;
      expect(pull).toMatchObject({ branch, into: 'main', isDraft: true });
      expect(pull?.title).toMatch(/answers: write them$/);
      expect(pull?.text).toContain('✅ Verified');
      expect(pull?.text).toContain('not needed, and not in here: `notes/scratch.txt`');
      // What people and models wrote stands in code alone.
      expect(pull?.text).toMatch(/```text\nanswers: write them\n\nAll of them, @everyone. <img/);

      if (pull) pull.title = 'Renamed by somebody';
      const again = await pulled(forge);
      expect(again).toEqual({ ...first, isNew: false });
      expect(pulls.map(({ title }) => title)).toEqual(['Renamed by somebody']);
    },
  );

  test('PULL-20 is made on a branch here as well: the same commit, once, while hooks, files and other branches stay as they are', async () => {
    const checkout = mkdtempSync(join(tmpdir(), 'goalkeeper-checkout-'));
    onTestFinished(() => rmSync(checkout, { recursive: true, force: true }));
    cpSync(path, checkout, { recursive: true });
    chownTree(checkout);
    writeFileSync(join(checkout, 'answer.txt'), '42\n');
    const seen = join(home, 'ref-hook-ran');
    const hook = join(checkout, '.git/hooks/reference-transaction');
    writeFileSync(hook, `#!/bin/sh\ntouch ${seen}\n`);
    chmodSync(hook, 0o755);
    const git = gitIn(checkout);
    const before = git('for-each-ref');
    const kept = () =>
      goalkeeper({ environment: {} }, 'pr', goalId, '--local', '--json', '--repo', checkout);
    const first = await kept();
    expect([first.exitCode, first.err]).toEqual([0, '']);
    const { branch, commit } = JSON.parse(first.out);
    expect(branch).toBe(`proven/${goalId}`);
    expect(git('rev-parse', branch)).toBe(commit);
    expect(git('diff', '--name-status', 'main', branch)).toBe('A\tanswer.txt');
    expect(git('log', '-1', '--format=%(trailers:key=Goal-Id,valueonly)', branch)).toBe(goalId);
    expect(git('fsck', '--strict', '--no-dangling')).toBe('');
    expect(JSON.parse((await kept()).out)).toEqual({ goalId, branch, commit });
    git('-c', 'core.hooksPath=/dev/null', 'update-ref', '-d', `refs/heads/${branch}`);
    expect([git('for-each-ref'), existsSync(seen)]).toEqual([before, false]);
    git('-c', 'core.hooksPath=/dev/null', 'branch', branch, 'main');
    const other = await kept();
    expect([other.exitCode !== 0, other.err]).toEqual([
      true,
      expect.stringContaining('has other commits'),
    ]);
    expect(git('rev-parse', branch)).toBe(git('rev-parse', 'main'));
  });

  test('PULL-21 is not made here where the objects of the repository lie elsewhere', async () => {
    const checkout = mkdtempSync(join(tmpdir(), 'goalkeeper-checkout-'));
    onTestFinished(() => rmSync(checkout, { recursive: true, force: true }));
    cpSync(path, checkout, { recursive: true });
    chownTree(checkout);
    writeFileSync(join(checkout, 'answer.txt'), '42\n');
    const elsewhere = join(home, 'objects');
    cpSync(join(checkout, '.git/objects'), elsewhere, { recursive: true });
    rmSync(join(checkout, '.git/objects'), { recursive: true });
    symlinkSync(elsewhere, join(checkout, '.git/objects'));
    const refused = await goalkeeper(
      { environment: {} },
      'pr',
      goalId,
      '--local',
      '--repo',
      checkout,
    );
    expect(refused.exitCode).not.toBe(0);
    expect(refused.err).toMatch(/lies elsewhere[\s\S]*--repo DIR/);
    expect(gitIn(checkout)('for-each-ref', 'refs/heads/proven')).toBe('');
  });

  test.each([
    ['the branches', 'refs/heads/proven'],
    ['the logs', 'logs'],
    ['the log of the branch', 'logs/refs/heads/proven'],
    ['new objects', null],
  ])('PULL-22 is not made here where a link leads %s elsewhere', async (_, place) => {
    const checkout = mkdtempSync(join(tmpdir(), 'goalkeeper-checkout-'));
    const elsewhere = mkdtempSync(join(tmpdir(), 'goalkeeper-elsewhere-'));
    onTestFinished(() => {
      for (const one of [checkout, elsewhere]) rmSync(one, { recursive: true, force: true });
    });
    cpSync(path, checkout, { recursive: true });
    chownTree(checkout);
    writeFileSync(join(checkout, 'answer.txt'), '42\n');
    const linked = join(checkout, '.git', place ?? join('objects', freePrefix(checkout)));
    rmSync(linked, { recursive: true, force: true });
    mkdirSync(dirname(linked), { recursive: true });
    symlinkSync(elsewhere, linked);
    const args = ['pr', goalId, '--local', '--repo', checkout];
    const refused = await goalkeeper({ environment: {} }, ...args);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.err).toMatch(/a link leads there[\s\S]*--repo DIR/);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('PULL-5 runs no hook of the repository and follows no setting of it', async () => {
    const forge = await forgeOf('gitea');
    const elsewhere = await openForgeServer('gitea');
    onTestFinished(() => elsewhere.close());
    const seen = join(home, 'hook-ran');
    const hook = join(path, '.git/hooks/pre-push');
    writeFileSync(hook, `#!/bin/sh\ntouch ${seen}\nexit 1\n`);
    chmodSync(hook, 0o755);
    const git = gitIn(path);
    git('config', `url.${elsewhere.url}/.insteadOf`, `${forge.url}/`);
    git('config', 'core.sshCommand', `touch ${seen}`);
    git('config', 'credential.helper', `!touch ${seen}`);
    onTestFinished(() => {
      rmSync(hook);
      git('config', '--remove-section', `url.${elsewhere.url}/`);
    });
    await pulled(forge);
    expect(elsewhere.asked).toEqual([]);
    expect(() => realpathSync(seen)).toThrow();
  });

  test('PULL-14 whose forge sends git elsewhere takes no token there', async () => {
    const forge = await forgeOf('github');
    const heard: (string | undefined)[] = [];
    const elsewhere = createServer((request, response) => {
      heard.push(request.headers.authorization);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void elsewhere.close());
    const { port } = elsewhere.address() as AddressInfo;
    forge.redirect = `http://127.0.0.1:${port}`;
    const ran = await goalkeeper(forge, 'pr', goalId, '--yes');
    expect(ran.exitCode).toBe(3);
    expect(ran.err).toMatch(/git ls-remote/);
    expect(heard).toEqual([]);
  });

  test('PULL-6 overwrites no commits of others', async () => {
    const forge = await forgeOf('github');
    const branch = `goal/${goalId}`;
    forge.git('branch', branch, 'main');
    const ran = await goalkeeper(forge, 'pr', goalId, '--yes');
    expect(ran.exitCode).toBe(3);
    expect(ran.err).toMatch(/has other commits .*[\s\S]*--branch/);
    expect(forge.pulls).toEqual([]);
    expect((await pulled(forge, '--branch', 'mine/answers')).branch).toBe('mine/answers');
  });

  test('PULL-7 is pushed by nobody who was not asked', async () => {
    const forge = await forgeOf('gitlab');
    const ran = await goalkeeper(forge, 'pr', goalId);
    expect(ran.exitCode).toBe(3);
    expect(ran.err).toMatch(/Push [0-9a-f]{12} to goal\/g-.* at 127\.0\.0\.1[\s\S]*--yes/);
    expect(forge.git('branch', '--list')).not.toContain('goal/');
    const text = await goalkeeper(forge, 'pr', goalId, '--text');
    expect(text.out).toMatch(/^answers: write them\n\n### ✅ Verified/);
    expect(forge.asked.filter((one) => !one.startsWith('GET'))).toEqual([]);
  });

  test.each([
    ['a branch that is no name', ['--branch', 'a..b'], /no name of a branch/],
    ['base and branch alike', ['--branch', 'main'], /--branch and --base are one/],
    ['no such remote', ['--remote', 'upstream'], /no remote "upstream"/],
    ['a folder without a repository', ['--repo', '/'], /no remote "origin"/],
  ])(
    'PULL-10 with %s is refused with the way out, and nothing is pushed',
    async (_, args, told) => {
      const forge = await forgeOf('github');
      const ran = await goalkeeper(forge, 'pr', goalId, '--yes', ...args);
      expect([ran.exitCode, ran.out]).toEqual([3, '']);
      expect(ran.err).toMatch(told);
      expect(forge.git('branch', '--list')).not.toContain('goal/');
    },
  );

  test('PULL-11 of a token that the forge does not know says so', async () => {
    const forge = await forgeOf('github');
    const wrong = { environment: { ...forge.environment, GITHUB_TOKEN: 'other' } };
    const ran = await goalkeeper(wrong, 'pr', goalId, '--yes');
    expect(ran.exitCode).toBe(3);
    expect(ran.err).toMatch(/401 .*[\s\S]*token is not known there/);
  });

  test('PULL-3 whose files changed since is refused by their names', async () => {
    const other = await complete();
    const forge = await forgeOf('github', other.path);
    const { workspace } = await goals.world.get(other.goalId);
    writeFileSync(join(workspace.path, 'answer.txt'), '43\n');
    const ran = await goalkeeper(forge, 'pr', other.goalId, '--yes');
    expect(ran.exitCode).toBe(3);
    expect(ran.err).toMatch(/Not as they were proven, in .*: answer\.txt/);
    expect(forge.git('branch', '--list')).not.toContain('goal/');
  });
});

describe('run --from-issue', () => {
  test.each(['github', 'gitlab', 'gitea'] as const)(
    'PULL-12 of %s has its title, text and address as objective',
    async (kind) => {
      const forge = await forgeOf(kind);
      const dash = kind === 'gitlab' ? '/-' : '';
      const ran = await goalkeeper(
        { environment: { ...forge.environment, ...noTokens } },
        ...['run', '--from-issue', `${forge.url}/team/shop${dash}/issues/7`, '--workspace', path],
        ...['--no-terms', '--detach', '--json'],
      );
      expect([ran.exitCode, ran.err]).toEqual([0, '']);
      expect(JSON.parse(ran.out).objective).toBe(
        `Answers are missing\n\nWrite \`answer.txt\`.\n\nIssue: ${forge.url}/team/shop/issues/7`,
      );
      await goals.send(JSON.parse(ran.out).goalId, 'clear');
    },
  );

  test('PULL-12 that is not there, or given beside another objective, starts nothing', async () => {
    const forge = await forgeOf('gitea');
    const missing = await goalkeeper(
      forge,
      'run',
      '--from-issue',
      `${forge.url}/team/shop/issues/8`,
    );
    expect([missing.exitCode, missing.out]).toEqual([3, '']);
    expect(missing.err).toMatch(/shows no issue 8 of team\/shop/);
    const twice = await goalkeeper(forge, 'run', 'Fix it', '--from-issue', `${forge.url}/x`);
    expect(twice.err).toMatch(/given twice/);
  });
});

/** An issue that everybody may read needs none. */
const noTokens = { GITHUB_TOKEN: '', GITLAB_TOKEN: '', GITEA_TOKEN: '' };
