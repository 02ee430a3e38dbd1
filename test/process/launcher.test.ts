import { type ExecFileException, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Launcher, type ProgramOptions } from '../../src/process/launcher.ts';

const here = promisify(execFile);
const LAUNCHER = fileURLToPath(new URL('../../src/process/launcher.cjs', import.meta.url));

let folder = '';
let launcher: Launcher;
let losses = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goalkeeper-launcher-'));
  launcher = new Launcher(() => {
    losses += 1;
  });
});
afterAll(async () => {
  if (launcher.pid !== undefined) process.kill(launcher.pid, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const shell = (text: string, options: ProgramOptions = {}) =>
  ['sh', ['-c', text], options] as const;

const PROGRAMS: Record<string, readonly [string, readonly string[], ProgramOptions]> = {
  'says something on both': shell('printf "\\357\\273\\277a\\377\\n"; echo b >&2'),
  fails: shell('echo a; echo b >&2; exit 3'),
  'is killed': shell('kill -9 $$'),
  'does not end in time': shell('exec sleep 60', { timeout: 100 }),
  'says too much': shell('printf 123456789', { maxBuffer: 4 }),
  'says four megabytes': shell('head -c 4000000 /dev/zero', { maxBuffer: 5_000_000 }),
  'sees its folder and variables alone': shell('pwd; env | sort', {
    cwd: '/usr',
    env: { PATH: process.env.PATH, ONE: '1', NOT: undefined },
  }),
  'is given no variables': shell('echo "$HOME"'),
  'is not there': ['/nonexistent/program', ['x'], {}],
  'has no folder': shell('pwd', { cwd: '/nonexistent' }),
  'gets what no program can be given': ['sh', ['a\0b'], {}],
};

test.each(Object.entries(PROGRAMS))(
  'SERVE-20 a program that %s does so by a launcher as without one',
  async (_name, [file, args, options]) => {
    const direct = await outcomeOf((async () => await here(file, args, options))());
    expect(await outcomeOf(launcher.run(file, args, options))).toEqual(direct);
  },
);

test('SERVE-20 whoever waits for a launcher that is killed is told, its programs end, and the next one serves', async () => {
  const mark = join(folder, 'begun');
  const waited = outcomeOf(launcher.run(...shell(`echo $$ > ${mark}; exec sleep 60`)));
  const program = await pidIn(mark);
  process.kill(launcher.pid ?? 0, 'SIGKILL');
  expect(await waited).toMatchObject({ message: 'the process that starts programs is gone' });
  expect(losses).toBe(1);
  process.kill(program, 'SIGKILL');
  launcher = new Launcher(() => {});
  expect(await launcher.run('echo', ['again'], {})).toEqual({ stdout: 'again\n', stderr: '' });
});

test('SERVE-20 a launcher whose process is killed ends, and all that it started', async () => {
  const mark = join(folder, 'begun by another');
  const text = `const {fork} = require('node:child_process');
    const child = fork(${JSON.stringify(LAUNCHER)}, { serialization: 'advanced', execArgv: [] });
    child.send({ id: 1, file: 'sh', args: ['-c', 'echo $$ > "$1"; exec sleep 60', 'sh', ${JSON.stringify(mark)}], options: {} });
    console.log(child.pid);`;
  const asker = spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [pid] = (await once(asker.stdout, 'data')) as [Buffer];
  const programs = [Number(pid), await pidIn(mark)];
  asker.kill('SIGKILL');
  await expect.poll(() => programs.filter(isThere)).toEqual([]);
});

test('SERVE-20 a launcher keeps no process going', async () => {
  const module = new URL('../../src/process/launcher.ts', import.meta.url).href;
  const text = `const { Launcher } = await import(${JSON.stringify(module)});
    const { stdout } = await new Launcher(() => {}).run('echo', ['done'], {});
    process.stdout.write(stdout);`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', text];
  expect((await here(process.execPath, args)).stdout).toBe('done\n');
});

const outcomeOf = (run: Promise<unknown>) =>
  run.catch(({ message, code, killed, signal, stdout, stderr }: ExecFileException) => ({
    message,
    code,
    ...(killed === true && { killed, signal }),
    said: [stdout ?? '', stderr ?? ''],
  }));

async function pidIn(path: string): Promise<number> {
  await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toMatch(/^\d+\n$/);
  return Number(await readFile(path, 'utf8'));
}

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
