import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ATTACKS, type Targets } from '../test/sandbox/attacks.ts';

/**
 * The attacks on commands against landlock alone, for docs/adr/0030: as root, `npx tsx
 * scripts/weigh-landlock.ts`. It plays in namespaces of processes and mounts of its own: where an
 * attack gets through, it ends and mounts nothing of the machine.
 */
const LOOT = /CANARY|ESCAPED/;
const NOBODY = 65_534;
const INNER = 'GOALKEEPER_WEIGHS_LANDLOCK';

if (process.env[INNER] === undefined) {
  const own = [process.execPath, ...process.execArgv, fileURLToPath(import.meta.url)];
  const apart = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child', '--'];
  const { status } = spawnSync('unshare', [...apart, ...own], {
    stdio: 'inherit',
    env: { ...process.env, [INNER]: 'yes', GOALKEEPER_TEST_SECRET: 'CANARY' },
  });
  process.exit(status ?? 1);
}

const root = mkdtempSync(join(tmpdir(), 'landlock-'));
chmodSync(root, 0o755);
const launcher = join(root, 'landlock');
execFileSync('cc', [
  '-O1',
  '-o',
  launcher,
  fileURLToPath(new URL('./landlock.c', import.meta.url)),
]);

for (const user of ['root', 'ordinary'] as const) {
  const targets = await makeTargets(user);
  const out: string[] = [];
  for (const { name, commands } of ATTACKS) {
    if (await gotThrough(user, targets, commands(targets))) out.push(name);
  }
  const held = ATTACKS.length - out.length;
  process.stdout.write(`${user}: ${held} held, ${out.length} out\n`);
  for (const name of out) process.stdout.write(`  ${name}\n`);
}
rmSync(root, { recursive: true, force: true });
process.exit(0);

async function makeTargets(user: string): Promise<Targets> {
  const at = (name: string) => join(root, user, name);
  const [home, service, others] = [at('home'), at('service'), at('others')];
  const files = {
    [join(home, '.ssh/id_canary')]: 'CANARY',
    [join(home, '.aws/credentials')]: 'CANARY',
    [join(service, 'token')]: 'CANARY',
    [join(others, 'file')]: 'theirs\n',
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    // As the worker's own user, for whom the rights of files hide nothing.
    if (user === 'ordinary') {
      chownSync(path, NOBODY, NOBODY);
      chownSync(dirname(path), NOBODY, NOBODY);
    }
  }
  const socket = join(others, 'service.sock');
  const abstract = `landlock-${user}-${process.pid}`;
  const port = await listening({ port: 0, host: '127.0.0.1' });
  await listening({ path: socket });
  chmodSync(socket, 0o666);
  await listening({ path: `\0${abstract}` });
  return { home, service, others, port, socket, abstract, workerPid: workerOf(user) };
}

/** A process of the same user outside of the rules, with a secret in its environment. */
function workerOf(user: string): number {
  const as = user === 'root' ? {} : { uid: NOBODY, gid: NOBODY };
  return spawn('sleep', ['3600'], { ...as, stdio: 'ignore' }).pid ?? 0;
}

async function listening(at: object): Promise<number> {
  const server = createServer((peer) => peer.end('CANARY')).listen(at);
  server.unref();
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function gotThrough(
  user: string,
  targets: Targets,
  commands: readonly string[],
): Promise<boolean> {
  const { others, home, workerPid } = targets;
  const workspace = mkdtempSync(join(root, 'workspace-'));
  if (user === 'ordinary') chownSync(workspace, NOBODY, NOBODY);
  let output = '';
  for (const command of commands) output += await run(user, workspace, command);
  const isWhole =
    readdirSync(others).sort().join() === 'file,service.sock' &&
    readFileSync(join(others, 'file'), 'utf8') === 'theirs\n' &&
    readdirSync(home).sort().join() === '.aws,.ssh' &&
    isAlive(workerPid);
  rmSync(workspace, { recursive: true, force: true });
  rmSync(join(others, 'made'), { force: true });
  return LOOT.test(output) || !isWhole;
}

/** With an environment of its own, which any sandbox can have. */
async function run(user: string, workspace: string, command: string): Promise<string> {
  const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';
  const as = user === 'root' ? {} : { uid: NOBODY, gid: NOBODY };
  const child = spawn(launcher, [workspace, 'bash', '-c', command], {
    ...as,
    cwd: workspace,
    env: { PATH, HOME: workspace, TMPDIR: workspace },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text.toString();
    });
  await once(child, 'close');
  return output;
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
