import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ProcessIdentity } from '../../../src/contract/process-identity.ts';
import { endHelper } from '../../../src/workspace/helper/end.ts';
import { describeWith, PROCESS_NUMBERS } from '../../support/needs.ts';
import {
  hostPid,
  isAlive,
  onHost,
  temporaryFolder,
  testEffects,
  until,
} from '../../tools/support.ts';

const signal = new AbortController().signal;
const limits = { timeoutMs: 120_000, maxOutputBytes: 100_000, signal };
const read = (path: string) => readFile(path, 'utf8').catch(() => '');

const CAP_SYS_ADMIN = 1n << 21n;

const LATE = `echo $$ > pid; sleep 60; echo broken > src.js`;
/** Ways out of the helper's session and out of the environment by which its processes are known. */
const ESCAPES = {
  'another session without an environment': `env -i setsid -f sh -c '${LATE}'`,
  'two forks': `env -i setsid sh -c '(setsid sh -c "${LATE.replace('$$', '\\$\\$')}" &) &' & wait`,
  nohup: `env -i nohup setsid sh -c '${LATE}' > /dev/null 2>&1 & disown`,
  'ignored signals': `env -i setsid -f sh -c 'trap "" TERM HUP INT; ${LATE}'`,
};

async function pidIn(path: string): Promise<number> {
  await until(async () => /\d+\n/.test(await read(path)));
  return Number(await read(path));
}

describeWith(PROCESS_NUMBERS, 'in a namespace', () => {
  for (const [name, command] of Object.entries(ESCAPES)) {
    test(`what escaped by ${name} is gone when the effects are closed`, async () => {
      const { effects, helper } = testEffects();
      const cwd = await temporaryFolder();
      await effects.runCommand({ ...limits, cwd, command });
      const pid = hostPid(helper(), await pidIn(join(cwd, 'pid')));
      expect(isAlive(pid)).toBe(true);
      await effects.close();
      expect(isAlive(pid)).toBe(false);
    });

    test(`what escaped by ${name} is gone when its worker was killed and another one took over`, async () => {
      const { worker, first, pid } = await startWorker(command);
      const helper = { ...onHost(first), isInit: true };
      expect(isAlive(pid)).toBe(true);
      worker.kill('SIGKILL');
      await endHelper(helper, hostname(), { named: 'recorded' });
      expect([isAlive(pid), isAlive(first)]).toEqual([false, false]);
    });
  }

  test('what escaped from a frozen worker is gone when another one took over', async () => {
    const { worker, first, pid } = await startWorker(ESCAPES['two forks']);
    worker.kill('SIGSTOP');
    await endHelper({ ...onHost(first), isInit: true }, hostname(), { named: 'recorded' });
    expect([isAlive(pid), isAlive(first)]).toEqual([false, false]);
    // With or without an error: its command may have ended before it was frozen.
    const ended = once(worker, 'exit');
    worker.kill('SIGCONT');
    expect((await ended)[1]).toBe(null);
  });

  test('a helper that an earlier version recorded is ended with all that it started, too', async () => {
    const { worker, first, pid } = await startWorker(ESCAPES['two forks']);
    worker.kill('SIGSTOP');
    await endHelper(onHost(first), hostname(), { named: 'recorded' });
    expect([isAlive(pid), isAlive(first)]).toEqual([false, false]);
    worker.kill('SIGKILL');
  });

  test('a helper says that all dies with it, and with its end all is dead at once', async () => {
    const { effects, spawned, helper } = testEffects();
    const cwd = await temporaryFolder();
    const command = 'for i in $(seq 40); do sleep 60 & done; echo $! > pid; disown -a';
    await effects.runCommand({ ...limits, cwd, command });
    const pid = hostPid(helper(), await pidIn(join(cwd, 'pid')));
    expect(spawned).toMatchObject([{ isInit: true }]);
    await endHelper(spawned[0] as ProcessIdentity, hostname());
    expect([isAlive(pid), isAlive(helper())]).toEqual([false, false]);
  });

  test('a killed worker takes along what escaped, also when nobody takes over', async () => {
    const { worker, first, pid } = await startWorker(ESCAPES['two forks']);
    worker.kill('SIGKILL');
    await until(() => !isAlive(pid) && !isAlive(first));
  });

  test('a command that kills its helper takes along what escaped', async () => {
    const { effects, helper } = testEffects();
    const cwd = await temporaryFolder();
    await effects.runCommand({ ...limits, cwd, command: ESCAPES['two forks'] });
    const pid = hostPid(helper(), await pidIn(join(cwd, 'pid')));
    // Only its own parent: whatever a test kills must be its own, also where no namespace is.
    const command = 'kill -KILL $PPID; sleep 60';
    await expect(effects.runCommand({ ...limits, cwd, command })).rejects.toThrow('the helper');
    await until(() => !isAlive(pid) && !isAlive(helper()));
  });

  test('a command sees the processes of its attempt and no others', async () => {
    const { effects } = testEffects();
    const command = 'cat /proc/[0-9]*/cmdline';
    const run = await effects.runCommand({ ...limits, cwd: '/', command });
    const seen = Buffer.from(run.output).toString();
    expect(seen).toContain('cat\0/proc/1/cmdline');
    expect(seen).toContain(process.execPath);
    expect(seen).not.toContain(await read('/proc/self/cmdline'));
  });

  test('a command of root, too, may not take away the /proc that hides the others', async () => {
    const { effects } = testEffects();
    const command = 'grep CapEff /proc/self/status';
    const run = await effects.runCommand({ ...limits, cwd: '/', command });
    const held = BigInt(`0x${Buffer.from(run.output).toString().split('\t')[1]?.trim()}`);
    expect(held & CAP_SYS_ADMIN).toBe(0n);
  });

  test('nothing else about a command differs from one without a namespace', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'file'), '', { mode: 0o640 });
    const command =
      'env | grep -v GOALKEEPER_ATTEMPT | sort; pwd; id -u; umask; stat -c "%a %u %g" file; ls -l /proc/self/fd | wc -l; ulimit -a; trap; exit 7';
    const [inside, outside] = await Promise.all(
      (['numbered', 'session'] as const).map(async (way) => {
        const run = await testEffects(way).effects.runCommand({ ...limits, cwd, command });
        return { ...run, output: Buffer.from(run.output).toString(), durationMs: 0 };
      }),
    );
    expect(outside).toMatchObject({ exitCode: 7, ended: 'exited' });
    expect(inside).toEqual(outside);
  });
});

test.each([
  ['fails, as in a container without the right to make namespaces', 1],
  ['says nothing of the first process inside', 0],
])('where bwrap %s, no helper gets process numbers of its own', async (_, exitCode) => {
  const folder = join(await temporaryFolder(), 'bin');
  await mkdir(folder);
  await writeFile(join(folder, 'bwrap'), `#!/bin/sh\nexit ${exitCode}\n`, { mode: 0o755 });
  expect(await foundWithPath(folder)).toBe(false);
});

test('where there is no bwrap, no helper gets process numbers of its own', async () => {
  expect(await foundWithPath(await temporaryFolder())).toBe(false);
});

/** What a process finds out that was started with another PATH. */
async function foundWithPath(path: string): Promise<boolean> {
  vi.resetModules();
  vi.stubEnv('PATH', path);
  onTestFinished(() => void vi.unstubAllEnvs());
  const fresh = await import('../../../src/sandbox/namespace.ts');
  return await fresh.hasNamespaces();
}

/** A process that runs the command in a helper, with the host's number of what escaped from it. */
async function startWorker(command: string) {
  const cwd = await temporaryFolder();
  const script = fileURLToPath(new URL('./worker-script.ts', import.meta.url));
  const args = [cwd, 'numbered', command];
  const worker = fork(script, args, { execArgv: ['--import', 'tsx'], stdio: 'ignore' });
  onTestFinished(() => void worker.kill('SIGKILL'));
  const first = await pidIn(join(cwd, 'helper'));
  const pid = hostPid(first, await pidIn(join(cwd, 'pid')));
  return { worker, first, pid };
}

test.each([true, false])(
  'BOX-34 a process that the record names and that is no helper is not ended (as init: %s)',
  async (isInit) => {
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
    onTestFinished(() => void stranger.kill('SIGKILL'));
    await once(stranger, 'spawn');
    const pid = stranger.pid ?? 0;
    await endHelper({ ...onHost(pid), isInit }, hostname(), { named: 'recorded' });
    expect(isAlive(pid)).toBe(true);
    await endHelper({ ...onHost(pid), isInit }, hostname());
    expect(isAlive(pid)).toBe(false);
  },
);

test('BOX-35 a helper that leads no session takes nobody along of the session that it was born into', async () => {
  const folder = await temporaryFolder();
  const told = join(folder, 'told');
  const script = fileURLToPath(new URL('./end-stranger.ts', import.meta.url));
  // The session's leader ends at once, as a shell does that has put a service in the background.
  const command = '{ sleep 60 & echo $! >"$2"; "$0" --import tsx "$1" "$3"; } & exit';
  const bystander = join(folder, 'bystander');
  const args = ['-c', command, process.execPath, script, bystander, told];
  const leader = spawn('sh', args, { detached: true, stdio: 'ignore' });
  await once(leader, 'exit');
  const pid = await pidIn(bystander);
  onTestFinished(() => void process.kill(pid, 'SIGKILL'));
  await until(async () => (await readFile(told, 'utf8').catch(() => '')) === 'SIGKILL');
  expect(isAlive(pid)).toBe(true);
});
