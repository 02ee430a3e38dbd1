import { execFile, execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LocalProcess } from '../../src/contract/process-identity.ts';
import { identify, isRunning } from '../../src/process/process-identity.ts';
import { whyNoOwnNetwork } from '../../src/sandbox/namespace.ts';
import { keepTemporal } from '../../src/stack/embedded-temporal.ts';
import { clientSocketIn, isAdmitted } from '../../src/stack/peer.ts';
import { eventually } from '../support/eventually.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { describeWith, ROOT, testWith } from '../support/needs.ts';
import { CLI_FOLDER } from '../support/servers.ts';

const OWN_NETWORK = {
  what: 'no bubblewrap that may make a network',
  isThere: (await whyNoOwnNetwork()) === null,
};
const STRANGER = fileURLToPath(new URL('./stranger.cjs', import.meta.url));

function newHome(): string {
  const home = memoryFolder('goalkeeper-guard-');
  symlinkSync(CLI_FOLDER, join(home, 'bin'));
  return home;
}

describe('GRD-1 who holds the client end decides', () => {
  const server = { address: '127.0.0.1', port: 7422 };
  const loopback = endianness() === 'LE' ? '0100007F' : '7F000001';
  const row = (local: string, remote: string, inode: number) =>
    `   1: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0`;
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    row(`${loopback}:1CFE`, `${loopback}:9C40`, 11),
    row(`${loopback}:9C40`, `${loopback}:1CFE`, 22),
    row(`${loopback}:9C41`, `${loopback}:1CFE`, 0),
  ].join('\n');
  const from = (port: number, address = '127.0.0.1') =>
    clientSocketIn(table, { client: { address, port }, server });

  test('the row of the client is found, not that of the accepted end', () => {
    expect(from(40_000)).toEqual({ inode: '22', uid: 1000 });
  });

  test('the same port of another address of the loopback is another client', () => {
    expect(from(40_000, '127.0.0.2')).toBeNull();
  });

  test('an own process that holds the socket admits it', () => {
    expect(isAdmitted(from(40_000), [new Set(), new Set(['22'])])).toBe(true);
  });

  test.each([
    ['nobody of its own holds', from(40_000), [new Set(['11', '23'])]],
    ['the kernel does not list', from(40_002), [new Set(['22'])]],
    ['its holder has closed', from(40_001), [new Set(['0'])]],
    ['anybody holds, without processes of its own', from(40_000), []],
  ])('a connection that %s is refused', (_, client, own) => {
    expect(isAdmitted(client, own)).toBe(false);
  });
});

describeWith(OWN_NETWORK, 'the guarded Temporal', () => {
  const home = newHome();
  const told: string[] = [];
  const children: LocalProcess[] = [];
  let temporal: Awaited<ReturnType<typeof keepTemporal>>;
  let port: string;

  beforeAll(async () => {
    temporal = await keepTemporal({
      home,
      onProgress: (message) => void told.push(message),
      children: () => children,
    });
    port = temporal.address.split(':')[1] ?? '';
  });
  afterAll(async () => {
    await temporal.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const asStranger = async (options = {}) =>
    (await promisify(execFile)(process.execPath, [STRANGER, port], options)).stdout.trim();

  async function asChild(...command: [string, ...string[]]): Promise<string> {
    const [file, ...args] = command;
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const identity = identify(child.pid ?? 0);
    if (identity) children.push(identity);
    return (await text(child.stdout)).trim();
  }

  test('GRD-2 a process that up did not start gets no byte, and is told of', async () => {
    expect(await asStranger()).toBe('0');
    expect(told.at(-1)).toMatch(
      /^Security: refused a connection to Temporal by (pid \d+ \(node|a process)/,
    );
  });

  testWith(ROOT)('GRD-2 another user gets no byte', async () => {
    expect(await asStranger({ uid: 65_534, gid: 65_534, cwd: '/' })).toBe('0');
  });

  test('GRD-3 a child of up gets its answer', async () => {
    expect(Number(await asChild(process.execPath, STRANGER, port))).toBeGreaterThan(0);
  });

  test('GRD-3 what a child of up starts gets no byte', async () => {
    const start = `process.stdout.write(require('node:child_process').execFileSync(process.execPath, process.argv.slice(1)))`;
    expect(await asChild(process.execPath, '-e', start, STRANGER, port)).toBe('0');
  });

  test('GRD-3 a process that has the number of a dead child gets no byte', async () => {
    const child = spawn(process.execPath, [STRANGER, port], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push({ pid: child.pid ?? 0, startedAt: 'another-boot/1' });
    expect((await text(child.stdout)).trim()).toBe('0');
  });

  test('GRD-4 Temporal listens nowhere on this machine', () => {
    const { pid } = JSON.parse(readFileSync(join(home, 'temporal.pid'), 'utf8')) as LocalProcess;
    const network = (of: string) => execFileSync('readlink', [`/proc/${of}/ns/net`]).toString();
    expect(network(String(pid))).not.toBe(network('self'));
  });

  test('GRD-5 a killed server comes back behind the same port, and takes nothing along', async () => {
    const record = () =>
      JSON.parse(readFileSync(join(home, 'temporal.pid'), 'utf8')) as LocalProcess;
    const before = record();
    process.kill(before.pid, 'SIGKILL');
    await eventually(() => expect(record().pid).not.toBe(before.pid));
    await eventually(async () =>
      expect(Number(await asChild(process.execPath, STRANGER, port))).toBeGreaterThan(0),
    );
    expect(isRunning(before)).toBe(false);
  });
});

test('GRD-6 without bubblewrap the server is as open as the machine, and up says so', async () => {
  const home = newHome();
  const told: string[] = [];
  vi.stubEnv('PATH', '/nonexistent');
  onTestFinished(() => void vi.unstubAllEnvs());
  const onProgress = (message: string) => void told.push(message);
  const temporal = await keepTemporal({ home, onProgress, children: () => [] });
  vi.unstubAllEnvs();
  const port = temporal.address.split(':')[1] ?? '';
  const { stdout } = await promisify(execFile)(process.execPath, [STRANGER, port]);
  await temporal.stop();
  rmSync(home, { recursive: true, force: true });
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(told.join('\n')).toMatch(/every process of this machine .* bwrap .* not installed.*TLS/);
});
