import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { endGroup } from '../../src/sandbox/groups/command-group.ts';
import { type Groups, lookAtGroups, openGroups } from '../../src/sandbox/groups/groups.ts';
import { sweepGroups } from '../../src/sandbox/groups/sweep.ts';
import { commandLimits } from '../../src/sandbox/limits.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { endHelper } from '../../src/workspace/helper/end.ts';
import { describeWith, ROOT, testWith } from '../support/needs.ts';
import { temporaryFolder, until } from '../tools/support.ts';
import { SANDBOX, testBox } from './support.ts';

const here = lookAtGroups();
const isWhole = !('why' in here) && here.controllers.length === 2;
const GROUPS = {
  what: `no control groups of version 2 with memory and pids that may be divided${'why' in here ? ` (${here.why})` : ''}`,
  isThere: isWhole,
};

const LIMITS = { memoryMb: 128, tasks: 64 };
const WAYS = ['auto', 'off'] as const;

/** Takes memory by Python, in a way that the kernel alone can count. */
const python = (text: string) => `python3 - <<'PY'\n${text}\nPY`;
const SOCKETS = `
import socket
held = []
for n in range(3000):
    a, b = socket.socketpair()
    a.setblocking(False)
    held += [a, b]
    try:
        while True: a.send(bytes(60000))
    except BlockingIOError: pass
print('ESCAPED')`;
const IN_FILES = `
import os
held = []
for n in range(40):
    held.append(os.memfd_create(str(n)))
    os.write(held[-1], bytes(10 << 20))
print('ESCAPED')`;

describeWith(GROUPS, 'a control group for each command', () => {
  const groups = (): Groups => {
    const opened = openGroups();
    if ('why' in opened) throw new Error(opened.why);
    return opened;
  };
  const left = (folder: string) =>
    readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());

  for (const mode of WAYS) {
    const whereThere = testWith(mode === 'auto' ? SANDBOX : { what: '', isThere: true });
    const box = () => testBox({ groups: groups(), limits: LIMITS, mode });
    const name = mode === 'auto' ? 'in the sandbox' : 'without one';

    whereThere(`GRP-3 memory beyond the limit ends a command, ${name}`, async () => {
      const { run } = await box();
      const own = await run(python('print(len(bytearray(400 << 20)), "ESCAPED")'));
      expect(own).toMatchObject({ ended: 'memory_limit' });
      expect(own.output).not.toContain('ESCAPED');
      const inFiles = await run(python(IN_FILES));
      expect(inFiles).toMatchObject({ ended: 'memory_limit' });
      expect(inFiles.output).not.toContain('ESCAPED');
      // A socket that gets no memory waits for it, and takes none beyond the limit.
      const held = await run(`ulimit -n 7000; ${python(SOCKETS)}`, { timeoutMs: 5000 });
      expect(held.output).not.toContain('ESCAPED');
    });

    whereThere(`GRP-4 files that a command writes and reads end nothing, ${name}`, async () => {
      const { run } = await box();
      const ran = await run('dd if=/dev/zero of=big bs=1M count=300 status=none; wc -c < big');
      expect(ran).toMatchObject({ ended: 'exited', exitCode: 0, output: '314572800\n' });
    });

    whereThere(`GRP-5 processes beyond the limit end a command, ${name}`, async () => {
      const { run } = await box();
      const ran = await run('for n in $(seq 200); do sleep 100 & done; wait');
      expect(ran).toMatchObject({ ended: 'task_limit' });
      expect((await run('echo next')).output).toBe('next\n');
    });

    whereThere(`GRP-6 with a command ends all that it started, ${name}`, async () => {
      const own = groups();
      const { run } = await testBox({ groups: own, limits: LIMITS, mode });
      const ran = await run('for n in 1 2 3; do setsid -f env -i sleep 98765; done; echo over');
      expect(ran).toMatchObject({ ended: 'exited', exitCode: 0, output: 'over\n' });
      expect(sleepers()).toBe(0);
      const pause = new AbortController();
      const running = run('setsid -f env -i sleep 98765; touch up; sleep 98765', {
        signal: pause.signal,
      });
      await until(() => sleepers() === 2);
      pause.abort();
      expect(await running).toMatchObject({ ended: 'cancelled' });
      expect(sleepers()).toBe(0);
      expect(left(own.folder)).toEqual([]);
    });

    whereThere(`GRP-7 a command that gets no group does not run, ${name}`, async () => {
      const gone = { ...groups(), folder: join(groups().folder, 'gone') };
      const { run, workspace } = await testBox({ groups: gone, limits: LIMITS, mode });
      await expect(run('touch ran')).rejects.toThrow('no control group');
      expect(existsSync(join(workspace, 'ran'))).toBe(false);
    });
  }

  testWith(SANDBOX)('GRP-8 inside, no group is shown, and none can be written', async () => {
    const { run } = await testBox({ groups: groups(), limits: LIMITS });
    const ran = await run('cat /proc/self/cgroup; ls /sys/fs; mount -t cgroup2 x /tmp; id -u');
    expect(ran.output).toMatch(/^0::\/$/m);
    expect(ran.output).not.toMatch(/cgroup\.procs/);
    expect(ran.output).toMatch(/ls: cannot access '\/sys\/fs'/);
  });

  test('GRP-9 what a killed helper leaves is ended and removed', async () => {
    const own = groups();
    const { run, helpers } = await testBox({ groups: own, limits: LIMITS, mode: 'off' });
    const lost = expect(run('setsid -f env -i sleep 98765; sleep 98765')).rejects.toThrow();
    await until(() => sleepers() === 2);
    await sweepGroups(own);
    expect(left(own.folder)).toHaveLength(1);
    expect(sleepers()).toBe(2);
    const [helper] = helpers;
    if (helper === undefined) throw new Error('no helper');
    process.kill(helper.pid, 'SIGKILL');
    await lost;
    await endHelper(helper, hostname());
    expect(left(own.folder)).toHaveLength(1);
    await sweepGroups(own);
    expect(left(own.folder)).toEqual([]);
    expect(sleepers()).toBe(0);
  });

  testWith(ROOT)('GRP-10 without a sandbox, who commands run as is in the group too', async () => {
    const { run } = await testBox({ groups: groups(), limits: LIMITS, mode: 'off' });
    const ran = await run('id -u; id -G; cat /proc/self/cgroup; grep NoNewPrivs /proc/self/status');
    expect(ran.output).toMatch(/^[1-9]\d*\n/);
    expect(ran.output).toMatch(/goalkeeper-commands\/\d+-/);
    expect(ran.output).toContain('NoNewPrivs:\t1');
  });

  for (const mode of WAYS) {
    const whereThere = testWith(mode === 'auto' ? SANDBOX : { what: '', isThere: true });
    whereThere(`GRP-12 a tool server has a group of its own (${mode})`, async () => {
      const own = groups();
      const root = await temporaryFolder();
      chmodSync(root, 0o755);
      const limits = { ...commandLimits(), ...LIMITS };
      const home = join(root, 'service');
      mkdirSync(home, { mode: 0o711 });
      const { boxServer } = await openSandbox({ mode, home, limits, groups: own });
      // A process of root's runs none in a folder of root's.
      const cwd = join(root, 'cwd');
      mkdirSync(cwd);
      if (process.getuid?.() === 0) chownSync(cwd, 65_534, 65_534);
      const named = { name: 'greedy', reads: [], writes: [cwd], network: 'none' } as const;
      const server = await boxServer({
        ...named,
        ...{ command: 'python3', args: ['-c', 'print(len(bytearray(400 << 20)), "ESCAPED")'] },
      });
      const { command, args } = server;
      const ran = spawnSync(command, args, {
        cwd: server.cwd,
        env: { ...process.env, ...server.env },
      });
      expect(String(ran.stdout)).toBe('');
      expect(ran.signal).toBe('SIGKILL');
      expect(left(own.folder).map(({ name }) => name)).toEqual([
        expect.stringMatching(/^\d+-.*-mcp-greedy$/),
      ]);
      await endGroup(join(own.folder, left(own.folder)[0]?.name ?? ''));
    });
  }

  test('GRP-11 a service that is alone in its group makes room, and what it starts follows', () => {
    const own = groups();
    const unit = join(dirname(own.folder), 'test.service');
    mkdirSync(unit);
    onTestFinished(() => {
      const groups = ['goalkeeper-commands', 'goalkeeper-service'].map((name) => join(unit, name));
      for (const group of [...groups, unit]) if (existsSync(group)) rmdirSync(group);
    });
    const divide = fileURLToPath(new URL('divide-group.ts', import.meta.url));
    const startIn = (group: string) =>
      JSON.parse(
        execFileSync(process.execPath, ['--import', 'tsx', divide, group], { encoding: 'utf8' }),
      );
    const expected = { folder: join(unit, 'goalkeeper-commands'), controllers: ['memory', 'pids'] };
    expect(startIn(unit)).toEqual(expected);
    expect(readFileSync(join(unit, 'cgroup.subtree_control'), 'utf8')).toBe('memory pids\n');
    expect(startIn(join(unit, 'goalkeeper-service'))).toEqual(expected);
  });
});

/** Processes of this machine that sleep for as long as those of these tests. */
function sleepers(): number {
  return readdirSync('/proc').filter((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8') === 'sleep\u000098765\u0000';
    } catch {
      return false;
    }
  }).length;
}
