import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { McpProcessSettings } from '../../schema/mcp-servers.ts';
import type { SandboxMode } from '../../src/contract/effects.ts';
import { createArgumentChecker } from '../../src/mcp/argument-checker.ts';
import { hostTools } from '../../src/mcp/host-tools.ts';
import { openLink } from '../../src/mcp/link.ts';
import { commandLimits } from '../../src/sandbox/limits.ts';
import { requiredWhile } from '../../src/sandbox/required.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { SANDBOX } from '../sandbox/support.ts';
import { describeWith, ROOT } from '../support/needs.ts';
import { giveAway, needsOwner } from '../support/ordinary-owner.ts';
import { temporaryFolder } from '../tools/support.ts';

const support = fileURLToPath(new URL('../support', import.meta.url));
const server = { command: process.execPath, args: [join(support, 'shell-server.mjs')] };
const checker = createArgumentChecker();
const SECRET = 'a-secret-of-the-service';

let port = 0;
const listener = createServer((_, response) => response.end('the machine'));
beforeAll(async () => {
  process.env.GOALKEEPER_TEST_SECRET = SECRET;
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  port = (listener.address() as AddressInfo).port;
});
afterAll(() => {
  delete process.env.GOALKEEPER_TEST_SECRET;
  listener.close();
});

async function world() {
  const root = await realpath(await temporaryFolder());
  const at = { home: join(root, 'service'), work: join(root, 'work'), shown: join(root, 'shown') };
  for (const folder of Object.values(at)) await mkdir(folder);
  await writeFile(join(at.home, 'token'), SECRET);
  await writeFile(join(at.shown, 'note'), 'for all');
  await mkdir(join(at.work, '.git'));
  return at;
}

type World = Awaited<ReturnType<typeof world>>;

/** What a shell command of the server says; null where it never came. */
async function say(
  { home }: World,
  shell: string,
  settings: Partial<McpProcessSettings> = {},
  mode: SandboxMode = 'auto',
): Promise<string | null> {
  const { boxServer } = await openSandbox({ mode, home, limits: commandLimits() });
  const given = { ...server, ...settings, reads: [support, ...(settings.reads ?? [])] };
  const said: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) });
  const link = await openLink('shell', given, { log, onListed: () => {}, boxServer });
  onTestFinished(() => link.close());
  const [tool] = hostTools(link, checker);
  if (tool === undefined) return `away: ${said.join()}`;
  const context = { signal: new AbortController().signal, idempotencyKey: 'k' } as ToolContext;
  const { text } = await tool.run({ shell }, context, undefined);
  await link.close();
  return text;
}

describeWith(SANDBOX, 'an MCP server that is a process', () => {
  test('MCP-1 sees nothing of the service and the machine but what its settings name', async () => {
    const at = await world();
    const looks = [
      `cat ${at.home}/token ${at.work}/* /etc/shadow; ls -A /root /home`,
      'cat /proc/*/environ | tr "\\0" "\\n"; env',
      `echo in > ${at.shown}/note; echo in > /usr/planted; cat ${at.shown}/note`,
      'echo "user $(id -u)"; grep CapEff /proc/self/status; unshare -U true && echo unshared',
    ];
    const said = await say(at, looks.join('; '), { reads: [at.shown] });
    expect(said).not.toContain(SECRET);
    expect(said).not.toContain('user 0');
    expect(said).not.toMatch(/^root:\S/m);
    expect(said).not.toContain('unshared');
    expect(said).toContain('for all');
    expect(said).toMatch(/CapEff:\s+0{16}/);
    expect(await readFile(join(at.shown, 'note'), 'utf8')).toBe('for all');
  });

  test('MCP-2 changes the folders that it may, their repository excepted, and keeps its home', async () => {
    const at = await world();
    const shell = `echo 1 > ${at.work}/made; echo 1 > ${at.work}/.git/config; echo kept > ~/mine`;
    expect(await say(at, shell, { writes: [at.work] })).not.toMatch(/^away/);
    expect(await readFile(join(at.work, 'made'), 'utf8')).toBe('1\n');
    await expect(readFile(join(at.work, '.git/config'))).rejects.toThrow('ENOENT');
    expect(await say(at, 'cat ~/mine')).toBe('kept\n');
  });

  test("MCP-3 has no network but where its settings give it the machine's", async () => {
    const at = await world();
    const ask = `node -e 'fetch("http://127.0.0.1:${port}").then((r) => r.text()).then(console.log, () => console.log("none"))'`;
    expect(await say(at, ask)).toBe('none\n');
    expect(await say(at, ask, { network: 'host' })).toBe('the machine\n');
  });

  test("MCP-4 gets no folder that holds the service's own", async () => {
    const at = await world();
    for (const folder of ['/', at.home, join(at.home, '..')]) {
      expect(await say(at, 'true', { reads: [folder] })).toContain(
        "holds the service's own folder",
      );
    }
  });
});

describeWith(ROOT, 'an MCP server of a root worker without a sandbox', () => {
  test('MCP-5 is refused in a folder of root, and runs as the owner of another', async () => {
    const at = await world();
    expect(await say(at, 'id -u', { cwd: at.work }, 'off')).toContain('belongs to root');
    giveAway([at.work], [join(at.home, '..'), at.home]);
    expect(await say(at, 'id -u; echo 1 > made', { cwd: at.work }, 'off')).toBe('65534\n');
  });
});

test('MCP-24 without a whole sandbox a server that runs serves no call once a program has a token, ends, and comes back', async () => {
  const at = await world();
  if (needsOwner('off')) giveAway([at.work], [join(at.home, '..'), at.home]);
  const machine = await openSandbox({ mode: 'off', home: at.home, limits: commandLimits() });
  let isHeld = false;
  const { boxServer } = requiredWhile(machine, async () => isHeld);
  const given = { ...server, cwd: at.work, reads: [support] };
  const log = pino({ level: 'silent' });
  const link = await openLink('shell', given, { log, onListed: () => {}, boxServer });
  onTestFinished(() => link.close());
  const context = { signal: new AbortController().signal, idempotencyKey: 'k' } as ToolContext;
  const call = async (shell: string) =>
    await hostTools(link, checker)[0]?.run({ shell }, context, undefined);
  expect(await call('echo served')).toMatchObject({ outcome: 'succeeded', text: 'served\n' });
  isHeld = true;
  expect(await call('echo 1 > made')).toMatchObject({
    outcome: 'failed',
    text: expect.stringMatching(/may not run: .*revoke the token.*nothing was sent/),
  });
  await expect.poll(() => link.client()).toBeNull();
  isHeld = false;
  await expect.poll(() => link.client(), { timeout: 20_000 }).not.toBeNull();
  expect(await call('ls')).toMatchObject({ text: '' });
});
