import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { programPath } from '../../src/sandbox/program-path.ts';
import { removeTree } from '../../src/sandbox/remove-tree.ts';
import { runGit } from '../../src/workspace/git/run-git.ts';
import { startEffects } from '../../src/workspace/helper/client.ts';
import { describeWith } from '../support/needs.ts';
import { temporaryFolder } from '../tools/support.ts';
import { ATTACKS, type Targets } from './attacks.ts';
import { openBox, SANDBOX, type TestBox, testBox } from './support.ts';

const LOOT = /CANARY|ESCAPED/;

let root: string;
let targets: Targets;
const servers: Server[] = [];

beforeAll(async () => {
  // In plain sight of everybody on the machine, unlike what lies in /tmp.
  root = await mkdtemp(join(process.cwd(), 'red-team-'));
  const [home, service, others] = ['home', 'service', 'others'].map((name) => join(root, name));
  if (!home || !service || !others) throw new Error('no folders');
  const files = {
    [join(home, '.ssh/id_canary')]: 'CANARY',
    [join(home, '.aws/credentials')]: 'CANARY',
    [join(service, 'token')]: 'CANARY',
    [join(others, 'file')]: 'theirs\n',
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, content);
  }
  const socket = join(others, 'service.sock');
  const abstract = `red-team-${process.pid}`;
  const port = await listening({ port: 0, host: '127.0.0.1' });
  await listening({ path: socket });
  await listening({ path: `\0${abstract}` });
  targets = { home, service, others, port, socket, abstract, workerPid: process.pid };
  vi.stubEnv('HOME', home);
  vi.stubEnv('GOALKEEPER_TEST_SECRET', 'CANARY');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  for (const server of servers) server.close();
  await rm(root, { recursive: true, force: true });
});

async function listening(at: object): Promise<number> {
  const server = createServer((peer) => peer.end('CANARY')).listen(at);
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describeWith(SANDBOX, 'hostile commands', () => {
  let box: TestBox;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ box, close } = await openBox({ home: targets.service }));
  });
  afterAll(() => close());

  test.each(ATTACKS)('one that $name gets nothing', async ({ commands }) => {
    let output = '';
    for (const command of commands(targets)) output += (await box.run(command)).output;
    expect(output).not.toMatch(LOOT);
    expect((await readdir(targets.others)).sort()).toEqual(['file', 'service.sock']);
    expect(await readFile(join(targets.others, 'file'), 'utf8')).toBe('theirs\n');
    expect(await readdir(targets.home)).toEqual(['.aws', '.ssh']);
    expect(await box.run('echo alive')).toMatchObject({ output: 'alive\n', isolation: 'full' });
  });

  test('it shares no namespace with the machine, and has no right', async () => {
    const kinds = ['ipc', 'mnt', 'net', 'pid', 'uts'];
    const run = await box.run(
      `for kind in ${kinds.join(' ')}; do readlink /proc/self/ns/$kind; done; grep CapEff /proc/self/status`,
    );
    const lines = run.output.trim().split('\n');
    for (const [index, kind] of kinds.entries()) {
      expect(lines[index]).not.toBe(await readlink(`/proc/self/ns/${kind}`));
    }
    const rights = BigInt(`0x${lines[5]?.split('\t')[1]}`);
    expect(rights).toBe(0n);
  });
});

describe('without a sandbox the same attacks succeed, so that the tests above can fail:', () => {
  const effects = startEffects({
    host: 'test',
    onSpawn: async () => {},
    canHaveNumbers: async () => false,
  });
  afterAll(() => effects.close());

  test.each(ATTACKS.filter(({ isReal }) => isReal))('one that $name', async ({ commands }) => {
    const cwd = await temporaryFolder();
    const order = { cwd, timeoutMs: 120_000, maxOutputBytes: 100_000 };
    const { signal } = new AbortController();
    let output = '';
    for (const command of commands(targets)) {
      const run = await effects.runCommand({ ...order, signal, command });
      output += Buffer.from(run.output).toString();
    }
    await rm(join(targets.others, 'made'), { force: true });
    expect(output).toMatch(LOOT);
  });
});

describeWith(SANDBOX, 'what a command plants in a repository', () => {
  test('is run neither by the host’s git nor by the person’s', async () => {
    const workspace = await temporaryFolder();
    const git = (...args: string[]) =>
      execFileSync('git', args, {
        cwd: workspace,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    git('init', '-q');
    git('config', 'user.name', 'A');
    git('config', 'user.email', 'a@b');
    const box = await testBox({ workspace });
    const evil = join(workspace, 'evil.sh');
    await box.run(
      `printf '#!/bin/sh\\ntouch ${workspace}/ran' > evil.sh; chmod +x evil.sh; echo a > a; git add a; git commit -qm first
       cp evil.sh .git/hooks/post-commit; cp evil.sh .git/hooks/pre-commit
       git config core.fsmonitor ${evil}; git config core.hooksPath ${workspace}; git config alias.status '!${evil}'
       printf '[core]\\nfsmonitor = ${evil}\\n' >> .git/config; rm -f .git/config; mv .git/config x; rmdir .git/hooks
       mv .git old; cp -r old .git; mv .git/hooks h; mkdir -p gits; cp -r .git/. gits/; printf '[core]\\nfsmonitor = ${evil}\\n' >> gits/config; cp gits/config gits/c; cat gits/c > gits/config
       echo ${workspace}/gits > .git/commondir`,
    );
    git('status');
    git('commit', '-q', '--allow-empty', '-m', 'second');
    await runGit({ folder: workspace }, ['status']);
    expect(await readdir(workspace)).not.toContain('ran');
    expect(git('log', '--format=%s')).toBe('second\nfirst\n');
  });

  test('a repository that the goal made itself stays its own', async () => {
    const box = await testBox();
    await box.run('git init -q');
    const run = await box.run('git config user.name B && git config user.name');
    expect(run.output).toBe('B\n');
  });

  test('a file that names a foreign repository as its own opens nothing', async () => {
    const foreign = await temporaryFolder();
    execFileSync('git', ['init', '-q'], { cwd: foreign });
    await mkdir(join(foreign, '.git/worktrees/x'), { recursive: true });
    const box = await testBox();
    await writeFile(join(box.workspace, '.git'), `gitdir: ${foreign}/.git/worktrees/x\n`);
    expect((await box.run(`ls ${foreign}/.git && echo ESCAPED`)).output).not.toMatch(LOOT);
  });
});

test('programs of packages never stand in for those that the host starts', async () => {
  const folder = join(await temporaryFolder(), 'node_modules/.bin');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'sh'), '#!/bin/sh\n', { mode: 0o755 });
  expect(programPath('sh', `${folder}:.:/usr/bin:/bin`)).toMatch(/^\/(usr\/)?bin\//);
});

describeWith(
  SANDBOX,
  'a workspace on PATH, as `npx` and activated environments put it there',
  () => {
    test('HST-1: what a command leaves there under the name of a program never runs outside', async () => {
      const [workspace, outside] = [await temporaryFolder(), await temporaryFolder()];
      const folders = ['node_modules/.bin', '.venv/bin'].map((one) => join(workspace, one));
      const PATH = [...folders, process.env.PATH].join(':');
      vi.stubEnv('PATH', PATH);
      onTestFinished(() => void vi.unstubAllEnvs());
      for (const folder of folders) await mkdir(folder, { recursive: true });
      const plant = (name: string) =>
        folders.map(
          (at) =>
            `printf '#!/bin/bash\\n[ -d ${outside} ] && : > ${workspace}/${name}-ran\\nexec /usr/bin/${name} "$@"\\n' > ${at}/${name}; chmod +x ${at}/${name}`,
        );
      const listed = { workspace, network: { domains: ['example.org'] } };
      const programs = ['bash', 'bwrap', 'git', 'mount', 'nsenter', 'sh', 'true'];
      await (await testBox(listed)).run(`git init -q; ${programs.flatMap(plant).join('; ')}`);
      // With a helper of its own, as in the next turn.
      const { ended, exitCode } = await (await testBox(listed)).run('true');
      expect({ ended, exitCode }).toEqual({ ended: 'exited', exitCode: 0 });
      expect(readdirSync(workspace).filter((name) => name.endsWith('-ran'))).toEqual([]);
    });
  },
);

test('HST-1: those of a workspace on PATH come after the system’s, also by a detour', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'sh'), '#!/bin/sh\n', { mode: 0o755 });
  const path = `${folder}:/usr/bin/../..${folder}:/usr/bin:/bin`;
  expect(programPath('sh', path)).toMatch(/^\/(usr\/)?bin\//);
});

describeWith(SANDBOX, 'limits', () => {
  const MODEST = {
    memoryMb: 300,
    tasks: 60,
    fileMb: 20,
    diskMb: 60,
    openFiles: 100,
  };

  test('hogs of memory, processes, disk, files and time end, each with its reason', async () => {
    const { diskMb, ...rest } = MODEST;
    const box = await testBox({ limits: rest });
    const hog = `node -e "const all = []; setInterval(() => all.push(Buffer.alloc(2e7, 1)), 20)"`;
    expect(await box.run(hog)).toMatchObject({ ended: 'memory_limit' });
    const many = 'for i in $(seq 300); do sleep 30 & done; wait';
    const swarm = await box.run(many);
    expect([swarm.ended, /fork: retry|Resource/.test(swarm.output)]).toSatisfy(
      ([ended, isRefused]) => ended === 'task_limit' || isRefused,
    );
    const filler = 'for i in $(seq 40); do head -c 10000000 /dev/zero > fill$i; sleep 0.05; done';
    // What others write meanwhile counts too, so this limit is for its own command alone.
    const small = await testBox({ limits: { diskMb } });
    expect(await small.run(filler)).toMatchObject({ ended: 'disk_limit' });
    expect(await box.run('head -c 30000000 /dev/zero > large')).toMatchObject({ exitCode: 153 });
    const opener = `node -e "for (let i = 0; i < 200; i += 1) require('fs').openSync('/dev/null')"`;
    expect((await box.run(opener)).output).toContain('EMFILE');
    expect(await box.run('echo alive')).toMatchObject({ output: 'alive\n', ended: 'exited' });
  });

  test('BOX-27 a command that makes files without end is ended, wherever it makes them', async () => {
    const endless = (folder: string) =>
      `python3 -c 'import itertools as i; [open(f"${folder}/{n}", "w").close() for n in i.count()]'`;
    // Another disk than the workspace's.
    const home = await mkdtemp('/dev/shm/goalkeeper-service-');
    onTestFinished(() => removeTree(home));
    const box = await testBox({ home, limits: { diskFiles: 5000 } });
    for (const folder of ['.', '/tmp'])
      expect(await box.run(endless(folder))).toMatchObject({ ended: 'file_limit' });
    expect(await box.run('echo alive > note')).toMatchObject({ ended: 'exited', exitCode: 0 });
  });

  test('a hog of processor time ends by the signal for that', async () => {
    const box = await testBox({ limits: { cpuSeconds: 1 } });
    expect(await box.run('while :; do :; done')).toMatchObject({ exitCode: 152 });
    expect(await box.run('echo alive')).toMatchObject({ output: 'alive\n', ended: 'exited' });
  });

  test('an ordinary test run stays far below them', async () => {
    const box = await testBox();
    await writeFile(
      join(box.workspace, 'a.test.mjs'),
      `import test from 'node:test'; test('a', () => {})`,
    );
    expect(await box.run('node --test')).toMatchObject({ exitCode: 0, ended: 'exited' });
  });
});
