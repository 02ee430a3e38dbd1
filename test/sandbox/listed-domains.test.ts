import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createRaw } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { buildHelper } from '../../scripts/build-helper.ts';
import { listProcesses } from '../../src/process/process-identity.ts';
import { descendantsOf } from '../../src/workspace/helper/watch-box.ts';
import { describeWith } from '../support/needs.ts';
import { until } from '../tools/support.ts';
import { SANDBOX, testBox } from './support.ts';

const LOOPBACK = ['127.0.0.0/8', '::1'];
let server: Server;
let port: number;
let compiled: string;

beforeAll(async () => {
  // As a service runs them: each command starts a proxy, which from TypeScript takes a second.
  const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-proxy-'));
  await buildHelper(folder);
  vi.stubEnv('GOALKEEPER_EFFECTS_HELPER', join(folder, 'helper.cjs'));
  compiled = folder;
  server = createServer((request, answer) => answer.end(`served ${request.headers.host}`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.close();
  vi.unstubAllEnvs();
  await rm(compiled, { recursive: true, force: true });
});

/** The name that leads to this machine would pass by the proxy otherwise. */
const ask = (url: string) => `curl -sS --noproxy '' -m 20 ${url}`;
const listing = (...domains: string[]) => ({ network: { domains }, addresses: LOOPBACK });

describeWith(SANDBOX, 'a command that may reach listed domains', () => {
  test('PRX-3: gets a listed place, is refused another, and both are told', async () => {
    const box = await testBox(listing(`localhost:${port}`));
    const { output, reached, isolation } = await box.run(
      `${ask(`http://localhost:${port}/`)}; echo; ${ask('http://evil.example/')}`,
    );
    expect(output).toMatch(/^served localhost:\d+\ngoalkeeper: evil\.example:80 is not among/);
    expect(isolation).toBe('partial');
    expect(reached).toMatchObject([
      { to: `localhost:${port}`, connections: 1, sentBytes: expect.any(Number) },
      { to: 'evil.example:80', connections: 1, refused: expect.stringContaining('not among') },
    ]);
    expect(reached?.[0]?.receivedBytes).toBeGreaterThan(20);
    expect(reached?.[0]).not.toHaveProperty('refused');
  });

  test('PRX-4: has no other way out: no route, no names, no port or socket of the machine', async () => {
    const box = await testBox(listing(`localhost:${port}`));
    const { output, reached } = await box.run(
      `(cat < /dev/tcp/127.0.0.1/${port}) 2>&1; (cat < /dev/tcp/192.0.2.1/80) 2>&1; getent ahostsv4 example.org; tail -n +3 /proc/net/dev | cut -d: -f1; grep -c . /proc/net/route /proc/net/tcp`,
    );
    expect(output).toMatch(/127\.0\.0\.1\/\d+: Connection refused/);
    expect(output).toContain('192.0.2.1/80: Network is unreachable');
    expect(output).toMatch(/^ +lo$/m);
    expect(output).toContain('/proc/net/route:1');
    // A heading, and the proxy's socket: nothing else listens there.
    expect(output).toContain('/proc/net/tcp:2');
    expect(reached).toEqual([]);
  });

  test('PRX-5: what a listed name leads to is refused where no setting names it', async () => {
    const box = await testBox({ network: { domains: [`localhost:${port}`] } });
    const { output, reached } = await box.run(ask(`http://localhost:${port}/`));
    expect(output).toContain('leads to an address that is not public');
    expect(reached).toMatchObject([{ refused: expect.stringContaining('not public') }]);
  });

  test('PRX-6: another command, another goal and the machine have no part in its proxy', async () => {
    const listed = await testBox(listing(`localhost:${port}`));
    const other = await testBox({ goalId: 'g-2' });
    const first = listed.run(`touch begun; ${ask(`http://localhost:${port}/`)}; sleep 30`, {
      signal: AbortSignal.timeout(3000),
    });
    await until(() => readdirSync(listed.workspace).includes('begun'));
    const knock = '(exec 3<>/dev/tcp/127.0.0.1/3128) 2>&1 || true';
    expect((await other.run(knock)).output).toContain('refused');
    // 0C38 = 3128, listening.
    const sockets = readFileSync('/proc/net/tcp', 'utf8') + readFileSync('/proc/net/tcp6', 'utf8');
    expect(sockets).not.toMatch(/:0C38 \S+ 0A/);
    const [again] = await Promise.all([listed.run(ask(`http://localhost:${port}/`)), first]);
    expect(again.reached).toMatchObject([{ connections: 1 }]);
  });

  test('PRX-7: the proxy ends with its command, also with what still goes through it', async () => {
    const closed: string[] = [];
    const endless = createRaw((socket) => {
      socket.on('error', () => {}).on('close', () => void closed.push('closed'));
      socket.resume();
      socket.write('HTTP/1.1 200 OK\r\n\r\nmore');
    });
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void endless.close());
    const at = (endless.address() as AddressInfo).port;
    const box = await testBox(listing(`localhost:${at}`));
    const running = box.run(
      `curl -sN --noproxy '' http://localhost:${at}/ > got & until grep -q more got; do :; done; touch got-it; until [ -e seen ]; do sleep 0.05; done`,
    );
    await until(() => existsSync(join(box.workspace, 'got-it')));
    expect(proxies(box.helpers[0]?.pid)).toBeGreaterThan(1);
    await writeFile(join(box.workspace, 'seen'), '');
    const run = await running;
    expect(run).toMatchObject({ ended: 'exited', exitCode: 0, reached: [{ connections: 1 }] });
    expect(run.reached?.[0]?.receivedBytes).toBeGreaterThan(20);
    // The connection's end tells only that its own process has ended.
    await until(() => closed.length === 1 && proxies(box.helpers[0]?.pid) === 0);
  });

  test('PRX-8: a command that is cancelled while its proxy starts ends at once', async () => {
    const box = await testBox(listing(`localhost:${port}`));
    await box.run('true');
    const { ended } = await box.run('sleep 60', { signal: AbortSignal.timeout(20) });
    expect(ended).toBe('cancelled');
  });

  test('PRX-9: proofs in place and what is sealed have no network; setups have the machine’s', async () => {
    const box = await testBox(listing(`localhost:${port}`));
    const look =
      'tail -n +3 /proc/net/dev | wc -l; grep -c :0C38 /proc/net/tcp; echo "p=$HTTP_PROXY"';
    for (const reach of [{ isSealed: true }, { isInPlace: true }]) {
      const { output, isolation, reached } = await box.run(look, { reach });
      expect([output, isolation, reached]).toEqual(['1\n0\np=\n', 'full', undefined]);
    }
    const setup = await box.run(ask(`http://127.0.0.1:${port}/`), { reach: { network: 'host' } });
    expect(setup).toMatchObject({
      output: expect.stringContaining('served'),
      isolation: 'partial',
    });
    expect(setup.reached).toBeUndefined();
  });
});

test('PRX-10: where no network can be made, no command runs, and the way out is named', async () => {
  const box = await testBox({ ...listing('example.org'), mode: 'off' });
  const { CommandsRefused } = await import('../../src/contract/failures.ts');
  const run = box.run('touch ran');
  await expect(run).rejects.toThrow(CommandsRefused);
  await expect(run).rejects.toThrow(/policy\.sandbox\.network[\s\S]*"none" or "host"/);
  expect(readdirSync(box.workspace)).toEqual([]);
});

test('PRX-11: without nsenter neither', async () => {
  const { PATH } = process.env;
  vi.stubEnv('PATH', '/nowhere');
  onTestFinished(() => void vi.stubEnv('PATH', PATH));
  const { networkOf } = await import('../../src/sandbox/network.ts');
  const ground = { network: { domains: ['example.org'] } };
  expect(() => networkOf({ hasOwnNetwork: true, why: '' }, ground, {})).toThrow(
    'install util-linux',
  );
});

/** What a helper keeps for commands that may reach listed domains. */
function proxies(helper: number | undefined): number {
  const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  return descendantsOf(listProcesses(), helper).filter((pid) => {
    try {
      return /helper\/proxy\.|createServer/.test(commandOf(pid));
    } catch {
      return false;
    }
  }).length;
}
