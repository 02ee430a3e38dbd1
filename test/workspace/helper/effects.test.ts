import { fork } from 'node:child_process';
import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startEffects } from '../../../src/workspace/helper/client.ts';
import { endHelper } from '../../../src/workspace/helper/end.ts';
import { EffectsLost, OtherHost } from '../../../src/workspace/helper/errors.ts';
import { sha256 } from '../../../src/workspace/paths.ts';
import {
  hostPid,
  isAlive,
  onHost,
  type TestEffects,
  temporaryFolder,
  testEffects,
  until,
} from '../../tools/support.ts';
import { WAYS, ways } from './ways.ts';

const signal = new AbortController().signal;
const limits = { timeoutMs: 120_000, maxOutputBytes: 100_000, signal };
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

async function pidIn(path: string): Promise<number> {
  await until(async () => /\d+\n/.test(await readFile(path, 'utf8').catch(() => '')));
  return Number(await readFile(path, 'utf8'));
}

/** The host's number of the living process that wrote its own one to the file. */
async function writerOf(path: string, { helper }: TestEffects): Promise<number> {
  const pid = await pidIn(path);
  return hostPid(helper(), pid);
}

test.each(ways)(
  'a command runs under bash with pipefail and both streams in order (%s)',
  async (way) => {
    const { effects, spawned } = testEffects(way);
    const cwd = await temporaryFolder();
    expect(spawned).toEqual([]);
    const command = 'echo one; echo two >&2; echo three; false | true';
    const run = await effects.runCommand({ ...limits, cwd, command });
    expect(run).toMatchObject({ exitCode: 1, ended: 'exited' });
    expect(text(run.output)).toBe('one\ntwo\nthree\n');
    expect(spawned).toHaveLength(1);
  },
);

test.each(ways)(
  'certificates of the machine reach commands, and no helper reads them at its start (%s)',
  async (way) => {
    vi.stubEnv('NODE_EXTRA_CA_CERTS', '/etc/ssl/own.pem');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { effects } = testEffects(way);
    const command = 'echo "$NODE_EXTRA_CA_CERTS"; tr "\\0" "\\n" </proc/$PPID/environ';
    const { output } = await effects.runCommand({ ...limits, cwd: '/', command });
    const [own, ...helpers] = text(output).split('\n');
    expect(own).toBe('/etc/ssl/own.pem');
    expect(helpers).toContain('TERM=dumb');
    expect(helpers.join('\n')).not.toContain('NODE_EXTRA_CA_CERTS');
  },
);

test.each(ways)("the service's own environment does not reach a command (%s)", async (way) => {
  process.env.GOALKEEPER_TEST_SECRET = 'not to be seen';
  const { effects } = testEffects(way);
  const run = await effects.runCommand({
    ...limits,
    cwd: '/',
    command: 'env; cat /proc/$PPID/environ',
  });
  delete process.env.GOALKEEPER_TEST_SECRET;
  expect(text(run.output)).toContain('TERM=dumb');
  expect(text(run.output)).toContain('npm_config_update_notifier=false');
  expect(text(run.output)).not.toContain('not to be seen');
});

test.each(ways)('a time limit ends the whole group, also what ignores TERM (%s)', async (way) => {
  const ground = testEffects(way);
  const cwd = await temporaryFolder();
  const command = `bash -c 'trap "" TERM; echo $$ > pid; while true; do sleep 0.1; done' & wait`;
  const run = ground.effects.runCommand({ ...limits, cwd, command, timeoutMs: 1500 });
  const pid = await writerOf(join(cwd, 'pid'), ground);
  expect((await run).ended).toBe('timeout');
  expect(isAlive(pid)).toBe(false);
});

test.each(ways)('cancelling ends a command (%s)', async (way) => {
  const ground = testEffects(way);
  const { effects } = ground;
  const cwd = await temporaryFolder();
  const stop = new AbortController();
  const run = effects.runCommand({
    ...limits,
    cwd,
    command: 'echo $$ > pid; sleep 60',
    signal: stop.signal,
  });
  const pid = await writerOf(join(cwd, 'pid'), ground);
  stop.abort();
  expect((await run).ended).toBe('cancelled');
  expect(isAlive(pid)).toBe(false);
});

test.each(ways)(
  'a command ends with its shell, and its background process with the helper (%s)',
  async (way) => {
    const ground = testEffects(way);
    const { effects } = ground;
    const cwd = await temporaryFolder();
    const run = await effects.runCommand({
      ...limits,
      cwd,
      command: 'sleep 60 & echo $! > pid; echo up',
    });
    expect(run.durationMs).toBeLessThan(50_000);
    expect(text(run.output)).toBe('up\n');
    const pid = await writerOf(join(cwd, 'pid'), ground);
    expect(isAlive(pid)).toBe(true);
    await effects.close();
    expect(isAlive(pid)).toBe(false);
  },
);

test.each(ways)('a long output keeps head and tail (%s)', async (way) => {
  const { effects } = testEffects(way);
  const run = await effects.runCommand({
    ...limits,
    cwd: '/',
    command: 'seq 1 100000',
    maxOutputBytes: 1000,
  });
  expect(run.exitCode).toBe(0);
  expect(text(run.output)).toMatch(/^1\n2\n[\s\S]*bytes left out[\s\S]*\n100000\n$/);
  expect(run.output.byteLength).toBeLessThan(1100);
});

test.each(ways)('a command that prints freely ends by itself or by its time (%s)', async (way) => {
  const { effects } = testEffects(way);
  const free = { ...limits, cwd: '/', maxOutputBytes: 1_000_000, printsFreely: true };
  const mass = await effects.runCommand({ ...free, command: 'head -c 100000000 < <(yes)' });
  expect(mass).toMatchObject({ ended: 'exited', exitCode: 0 });
  expect(mass.output.byteLength).toBeLessThan(1_001_000);
  expect(text(mass.output)).toMatch(/\n\[… 99000\d\d\d bytes left out …\]\n/);
  const endless = await effects.runCommand({ ...free, command: 'yes', timeoutMs: 2000 });
  expect(endless.ended).toBe('timeout');
});

test.each(ways)('an absurd output ends the command (%s)', async (way) => {
  const { effects } = testEffects(way);
  const run = await effects.runCommand({ ...limits, cwd: '/', command: 'yes' });
  expect(run.ended).toBe('output_limit');
});

test.each(ways)('endHelper finds a grandchild that left the session (%s)', async (way) => {
  const ground = testEffects(way);
  const { effects } = ground;
  const cwd = await temporaryFolder();
  const command = `setsid bash -c 'echo $$ > pid; exec sleep 60' >/dev/null 2>&1 & disown; true`;
  await effects.runCommand({ ...limits, cwd, command });
  const pid = await writerOf(join(cwd, 'pid'), ground);
  const [helper] = ground.spawned;
  if (helper === undefined) throw new Error('no helper');
  expect(isAlive(pid)).toBe(true);
  await endHelper(helper, hostname());
  expect([isAlive(pid), isAlive(helper.pid)]).toEqual([false, false]);
  await expect(effects.runCommand({ ...limits, cwd, command: 'true' })).rejects.toThrow(
    EffectsLost,
  );
});

test('endHelper leaves a later process with the same pid alone, and refuses another host', async () => {
  const now = onHost(process.pid);
  await endHelper({ ...now, startedAt: '1' }, hostname());
  await endHelper({ ...now, startedAt: '1', isInit: true }, hostname());
  await expect(endHelper({ ...now, host: 'elsewhere' }, hostname())).rejects.toThrow(OtherHost);
});

test.each(ways)('a running effect rejects when the helper is killed (%s)', async (way) => {
  const { effects, helper } = testEffects(way);
  const cwd = await temporaryFolder();
  const run = effects.runCommand({ ...limits, cwd, command: 'echo $$ > pid; sleep 60' });
  const lost = expect(run).rejects.toThrow(EffectsLost);
  await pidIn(join(cwd, 'pid'));
  process.kill(helper(), 'SIGKILL');
  await lost;
});

test.each(ways)('no effect happens when the helper could not be recorded (%s)', async (way) => {
  const cwd = await temporaryFolder();
  let pid = 0;
  const effects = startEffects({
    host: hostname(),
    canHaveNumbers: WAYS[way],
    onSpawn: async (helper) => {
      pid = helper.pid;
      throw new Error('superseded');
    },
  });
  const order = { ...limits, cwd, command: 'touch made' };
  await expect(effects.runCommand(order)).rejects.toThrow('superseded');
  await expect(effects.runCommand(order)).rejects.toThrow(EffectsLost);
  expect(isAlive(pid)).toBe(false);
  expect(await readdir(cwd)).toEqual([]);
});

test('a command that is cancelled while its sandbox is made does not run', async () => {
  const pause = new AbortController();
  const cwd = await temporaryFolder();
  const tidied: string[] = [];
  const effects = startEffects({
    host: hostname(),
    onSpawn: async () => {},
    box: async () => {
      pause.abort();
      const tidy = async () => {
        tidied.push('tidied');
        return { disarmed: [], undecided: [] };
      };
      return {
        launcher: null,
        entry: [],
        user: null,
        filter: null,
        writes: [],
        env: {},
        proxied: null,
        inside: (folder: string) => folder,
        isolation: 'none',
        tidy,
        lose: () => tidied.push('lost'),
      };
    },
  });
  onTestFinished(() => effects.close());
  const command = 'touch made; sleep 300';
  const run = await effects.runCommand({ ...limits, cwd, command, signal: pause.signal });
  expect(run).toMatchObject({ ended: 'cancelled', isolation: 'none' });
  expect(await readdir(cwd)).toEqual([]);
  expect(tidied).toEqual(['tidied']);
});

test.each(ways)('a killed worker takes its helper and commands with it (%s)', async (way) => {
  const cwd = await temporaryFolder();
  const script = fileURLToPath(new URL('./worker-script.ts', import.meta.url));
  const parent = fork(script, [cwd, way], { execArgv: ['--import', 'tsx'], stdio: 'ignore' });
  const helper = await pidIn(join(cwd, 'helper'));
  const inside = await Promise.all(['command', 'wanderer'].map((name) => pidIn(join(cwd, name))));
  const pids = [helper, ...inside.map((pid) => hostPid(helper, pid))];
  expect(pids.map(isAlive)).toEqual([true, true, true]);
  parent.kill('SIGKILL');
  await until(() => pids.every((pid) => !isAlive(pid)));
});

test('F22 a write is atomic, keeps the mode, and refuses a file that is not as expected', async () => {
  const { effects } = testEffects();
  const cwd = await temporaryFolder();
  const path = join(cwd, 'run.sh');
  await writeFile(path, 'old');
  await chmod(path, 0o751);
  const order = { path, content: Buffer.from('new'), callId: 't1.s1.0' };
  const found = sha256(Buffer.from('old'));
  expect(await effects.writeFile({ ...order, expected: null })).toEqual({ kind: 'changed', found });
  expect(await readFile(path, 'utf8')).toBe('old');
  expect(await effects.writeFile({ ...order, expected: found })).toEqual({ kind: 'written' });
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await stat(path)).mode & 0o777).toBe(0o751);
  expect(await readdir(cwd)).toEqual(['run.sh']);
});

test('a write makes the folders that it needs and reports a failure', async () => {
  const { effects } = testEffects();
  const cwd = await temporaryFolder();
  const order = { content: Buffer.from('x'), expected: null, callId: 't1.s1.0' };
  await effects.writeFile({ ...order, path: join(cwd, 'a/b/c.txt') });
  expect(await readFile(join(cwd, 'a/b/c.txt'), 'utf8')).toBe('x');
  await symlink('/nowhere', join(cwd, 'link'));
  await expect(effects.writeFile({ ...order, path: join(cwd, 'a') })).rejects.toThrow(
    /no regular file/,
  );
});
