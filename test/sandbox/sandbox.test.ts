import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { commandLimits } from '../../src/sandbox/limits.ts';
import { openSandbox, SandboxMissing } from '../../src/sandbox/sandbox.ts';
import { boxed } from '../../src/workspace/helper/boxed.ts';
import { startEffects } from '../../src/workspace/helper/client.ts';
import { endHelper } from '../../src/workspace/helper/end.ts';
import { openGround } from '../evidence/gate-ground.ts';
import { gitIn } from '../support/git.ts';
import { describeWith } from '../support/needs.ts';
import { temporaryFolder, until } from '../tools/support.ts';
import { SANDBOX, testBox } from './support.ts';

const limits = commandLimits();
const NOBODY = { host: hostname(), onSpawn: async () => {} };

const SERVE_AND_ASK = `
  const server = require('node:http').createServer((_, answer) => answer.end('served'));
  server.listen(0, '127.0.0.1', async () => {
    const answer = await fetch('http://127.0.0.1:' + server.address().port);
    console.log(await answer.text());
    server.close();
  });`;

describeWith(SANDBOX, 'in the sandbox', () => {
  test('a command writes to the workspace and to /tmp, and nowhere else', async () => {
    const box = await testBox();
    const reached = `reached-${process.pid}`;
    const run = await box.run(
      `echo a > made; echo b > /tmp/kept; for f in /usr /etc /dev /var /run /home ${box.home}; do case $f in /tmp/*) continue;; esac; touch $f/x 2>/dev/null && echo "wrote $f"; done; touch ${process.cwd()}/${reached} 2>/dev/null; true`,
    );
    expect(run).toMatchObject({ exitCode: 0, output: '', isolation: 'full' });
    // Where this folder lies in the user's home, it is a part of the private home there.
    expect(existsSync(join(process.cwd(), reached))).toBe(false);
    expect(await readFile(join(box.workspace, 'made'), 'utf8')).toBe('a\n');
    expect((await box.run('cat /tmp/kept; echo c > ~/cache; cat ~/cache')).output).toBe('b\nc\n');
    await expect(readFile('/tmp/kept')).rejects.toThrow('ENOENT');
  });

  test('home folders, the service and what listens on sockets are not to be seen', async () => {
    const box = await testBox();
    await writeFile(join(box.home, 'token'), 'secret of the service');
    const socket = join(process.cwd(), `box-${process.pid}.sock`);
    const server = createServer().listen(socket);
    onTestFinished(() => void server.close());
    const connect = `require('net').connect('${socket}').on('connect', () => console.log('in')).on('error', (e) => console.log(e.code))`;
    const run = await box.run(
      `ls -A ${homedir()} /home /run ${box.home}; cat ${box.home}/token; node -e "${connect}"`,
    );
    expect(run.output).not.toContain('secret of the service');
    expect(run.output).not.toMatch(/\.ssh|\.aws|\.config|^in$|docker/m);
    expect(run.output).toMatch(/ECONNREFUSED|EACCES|ENOTSOCK|ENOENT/);
  });

  test('ports of the machine are out of reach, and a server of its own is not', async () => {
    const box = await testBox();
    const server = createServer((peer) => peer.end('out')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const ask = `cat < /dev/tcp/127.0.0.1/${port}`;
    const cut = await box.run(`${ask}; node -e "${SERVE_AND_ASK.replaceAll('\n', ' ')}"`);
    expect(cut.output).toMatch(/refused[\s\S]*served\n$/);
    const open = await testBox({ network: 'host' });
    expect(await open.run(ask)).toMatchObject({ output: 'out', isolation: 'partial' });
  });

  test('what a command leaves running ends with it, whatever it does to get away', async () => {
    const box = await testBox();
    const late = 'sleep 0.4; echo late >> tale';
    const run = await box.run(
      `(${late}) & nohup sh -c '${late}' & setsid -f sh -c '${late}'; env -i setsid sh -c '(setsid sh -c "${late}" &) &'; echo done`,
    );
    expect(run).toMatchObject({ exitCode: 0, output: expect.stringContaining('done') });
    await box.run('sleep 0.7');
    await expect(readFile(join(box.workspace, 'tale'))).rejects.toThrow('ENOENT');
  });

  test('a time limit and a cancellation give the command time to end, and end it', async () => {
    const box = await testBox();
    const command = `trap 'echo tidied > tidy; exit' TERM; echo up > up; while :; do sleep 0.05; done`;
    expect(await box.run(command, { timeoutMs: 700 })).toMatchObject({ ended: 'timeout' });
    expect(await readFile(join(box.workspace, 'tidy'), 'utf8')).toBe('tidied\n');
    const { signal } = { signal: AbortSignal.timeout(500) };
    const stubborn = `trap '' TERM; while :; do sleep 0.05; done`;
    expect(await box.run(stubborn, { signal })).toMatchObject({ ended: 'cancelled' });
  });

  test('exit codes and signals come out as they were', async () => {
    const box = await testBox();
    expect(await box.run('exit 7')).toMatchObject({ exitCode: 7, ended: 'exited' });
    expect(await box.run('kill -9 $$')).toMatchObject({ exitCode: 137 });
    expect(await box.run('false | true')).toMatchObject({ exitCode: 1 });
  });

  test('a fresh checkout is written to instead of the workspace, and packages behind a link are seen', async () => {
    const packages = join(await temporaryFolder(), 'node_modules');
    await mkdir(join(packages, 'left'), { recursive: true });
    await writeFile(join(packages, 'left/index.js'), 'console.log("found")');
    const box = await testBox();
    await symlink(packages, join(box.workspace, 'node_modules'));
    expect((await box.run('node -e "require(\'left\')"')).output).toBe('found\n');
    const root = await temporaryFolder();
    const run = await box.run(`echo a > made; touch ${box.workspace}/x 2>/dev/null || echo kept`, {
      cwd: root,
      reach: { root },
    });
    expect(run.output).toBe('kept\n');
    expect(await readFile(join(root, 'made'), 'utf8')).toBe('a\n');
  });

  test('a goal commits in its repository, and in the one of a linked worktree', async () => {
    const repository = await temporaryFolder();
    const git = gitIn(repository);
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    const commit = `echo a > a && git add a && git -c user.name=A -c user.email=a@b commit -qm second && git log --format=%s`;
    const whole = await testBox({ workspace: repository });
    expect((await whole.run(commit)).output).toBe('second\nfirst\n');
    const tree = join(await temporaryFolder(), 'tree');
    git('worktree', 'add', '-q', tree, 'HEAD~1');
    const linked = await testBox({ workspace: tree });
    expect((await linked.run(commit)).output).toBe('second\nfirst\n');
  });

  test('what commands leave in their home is not there for a check, but for packages', async () => {
    const box = await testBox();
    await box.run(
      'echo planted > ~/.npmrc; git config --global alias.x y; echo planted > /tmp/left; mkdir -p ~/.cache/pip ~/.m2; echo kept > ~/.cache/pip/wheel; ln -s / ~/.m2/repository',
    );
    const home = join(await temporaryFolder(), 'check');
    const look = 'cat ~/.npmrc ~/.gitconfig /tmp/left; cat ~/.cache/pip/wheel; ls ~/.m2';
    const check = await box.run(look, { reach: { home } });
    expect(check.output).not.toMatch(/planted|alias/);
    expect(check.output).toMatch(/kept\n/);
    expect(await readdir(join(home, 'home'))).not.toContain('.m2');
    await box.run('echo of a check > ~/.profile; echo more > ~/.setup', { reach: { home } });
    expect((await box.run('ls -A ~', { reach: { home } })).output).toContain('.setup');
    expect((await box.run('ls -A ~')).output).not.toContain('.setup');
  });

  test('what the goal forges in its caches deceives no clean check, which finds locked packages of npm', async () => {
    const box = await testBox();
    const { workspace, home } = box;
    await box.run(
      'mkdir -p ~/.cache/dep ~/.npm/_cacache/content-v2 ~/.npm/_cacache/index-v5; echo forged | tee ~/.cache/dep/index ~/.npm/_cacache/content-v2/a > ~/.npm/_cacache/index-v5/a',
    );
    // Fetched where it is not there, and only the forged one passes.
    const fetch =
      'mkdir -p ~/.cache/dep; cat ~/.cache/dep/index || echo broken > ~/.cache/dep/index';
    const use = 'ls ~/.npm/_cacache; grep forged ~/.cache/dep/index';
    const rerun = { kind: 'command', command: `${fetch}; ${use}` } as const;
    const clean = { kind: 'command', command: use, setup: fetch, check: 'clean' } as const;
    const sandbox = await openSandbox({ mode: 'auto', home, limits });
    const ground = { goalId: 'g-1', workspace, network: 'none' } as const;
    const own = () => startEffects({ ...NOBODY, ...boxed(sandbox, async () => ground) });
    const looks = openGround(workspace, [rerun, clean], { startEffects: own });
    await looks.lookFirst();
    const { criteria } = await looks.gate();
    expect(criteria.map(({ state }) => state)).toEqual(['met', 'unmet']);
    expect(criteria[1]?.reason).toMatch(/ends with:\ncontent-v2$/);
  });

  test('BOX-10 the list of users has the home of the box, where Java looks for it', async () => {
    const box = await testBox();
    const asked = 'getent passwd "$(id -u)" | cut -d: -f6; echo "$HOME"; getent passwd 0 | wc -l';
    const [listed, home, others] = (await box.run(asked)).output.trim().split('\n');
    expect([listed, others]).toEqual([home, '1']);
  });

  test('BOX-11 a command that sees control groups is in those that it sees', async () => {
    const box = await testBox();
    const mounts = (await box.run('cat /proc/self/mountinfo')).output.split('\n');
    const groups = mounts.filter((line) => / - cgroup2? /.test(line));
    expect(groups.filter((line) => line.split(' ')[3] !== '/')).toEqual([]);
  });

  test('programs on PATH are found, also those of a home folder', async () => {
    const box = await testBox();
    const run = await box.run('node -p 1+1; npm --version; git --version; python3 -c "print(3)"');
    expect(run).toMatchObject({ exitCode: 0, output: expect.stringMatching(/^2\n[\s\S]*3\n$/) });
  });

  test('with the attempt ends all that its commands run, when another one takes over', async () => {
    const box = await testBox();
    const span = `6${process.pid}.5`;
    const run = box.run(`setsid -f env -i sleep ${span}; echo up > up; sleep ${span}`);
    const lost = expect(run).rejects.toThrow('the helper');
    await until(() => sleepers(span) === 2);
    const [helper] = box.helpers;
    if (helper === undefined) throw new Error('no helper');
    await endHelper(helper, hostname());
    expect(sleepers(span)).toBe(0);
    await lost;
  });
});

/** Processes of this machine, wherever they run, that sleep for so long. */
function sleepers(span: string): number {
  return readdirSync('/proc').filter((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8') === `sleep\0${span}\0`;
    } catch {
      return false;
    }
  }).length;
}

test('without bwrap there is none: required, it refuses; otherwise it says so', async () => {
  const home = await temporaryFolder();
  vi.stubEnv('PATH', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(openSandbox({ mode: 'require', home, limits })).rejects.toThrow(SandboxMissing);
  const { protection } = await openSandbox({ mode: 'auto', home, limits });
  expect(protection).toMatchObject({ isolation: 'none', bwrap: null });
  expect(protection.why).toContain('not installed');
});

test('switched off there is none either', async () => {
  const home = await temporaryFolder();
  const { protection } = await openSandbox({ mode: 'off', home, limits });
  expect(protection).toMatchObject({ isolation: 'none', bwrap: null });
});
