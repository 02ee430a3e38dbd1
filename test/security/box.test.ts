import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { reply } from '../../demo/script.ts';
import { readRunState } from '../../src/stack/run-file.ts';
import { nameSkipped } from '../support/skip-reason.ts';
import { type Mode, nameOf, type Play, playClass } from './attempts.ts';
import { BOX_SCRIPTS, type BoxTargets, FLOODS } from './box-scripts.ts';
import {
  CANARY,
  databaseFolder,
  LEDGER_KEY,
  openService,
  type Service,
  TOKENS,
  whyNot,
} from './service.ts';

const IDS = Object.keys(BOX_SCRIPTS({} as BoxTargets));
const SECRETS = [CANARY, LEDGER_KEY, ...Object.values(TOKENS)];
const LIMITS = { memoryMb: 256, tasks: 100, fileMb: 16, diskMb: 60, cpuSeconds: 30 };

for (const user of ['root', 'ordinary'] as const) {
  for (const sandbox of [true, false]) play({ user, sandbox });
}

function play(mode: Mode): void {
  const missing = whyNot(mode);
  if (missing !== null) {
    describe.skip(nameSkipped(`box (${nameOf(mode)})`, missing), () => {});
    return;
  }
  let service: Service;
  let told: Map<string, string>;
  let folder: string;
  const servers: Server[] = [];

  describe(nameOf(mode), () => {
    beforeAll(async () => {
      service = await openService(mode, { GOALKEEPER_COMMAND_LIMITS: JSON.stringify(LIMITS) });
      const socket = join(service.person, '..', 'machine.sock');
      const abstract = `goalkeeper-attacked-${process.pid}-${service.pid}`;
      for (const path of [socket, `\0${abstract}`]) servers.push(await listening(path));
      chmodSync(socket, 0o777);
      const scripts = BOX_SCRIPTS(targetsOf(service, socket, abstract));
      const files = Object.entries(scripts).map(([id, script]) => [`attacks/${id}.sh`, script]);
      folder = service.folder({ ...Object.fromEntries(files), ...(await program()) });
      if (existsSync(join(folder, 'int80'))) chmodSync(join(folder, 'int80'), 0o755);
      told = await runAll(service, folder);
    }, 600_000);
    afterAll(async () => {
      for (const server of servers) server.close();
      await service.close();
    });
    playClass('box', mode, Object.fromEntries(IDS.map((id) => [id, playOf(id)])));
  });

  const playOf =
    (id: string): Play =>
    async () => {
      const text = FLOODS.includes(id) ? await flood(service, folder, id) : told.get(id);
      if (id === 'CMD-22' && text?.includes('no program')) return 'no 32-bit program';
      if (!FLOODS.includes(id)) expect(text).toContain('PLAYED');
      expect(text).not.toMatch(/ESCAPED|CANARY-|SyntaxError/);
      for (const secret of SECRETS) expect(text).not.toContain(secret);
      if (id === 'CMD-46') await expectNoLater(folder);
      if (id === 'CMD-61' || id === 'CMD-62') expectPersonUntouched(service);
      return 1;
    };
}

const command = (id: string) =>
  reply.call('run_command', { command: `bash attacks/${id}.sh; echo PLAYED` });

/** One goal for all that may run beside others, and what the model was told of each. */
async function runAll(service: Service, folder: string): Promise<Map<string, string>> {
  const ids = IDS.filter((id) => !FLOODS.includes(id));
  const { results } = await service.play(ids.map(command), { workspace: { path: folder } });
  return new Map(ids.map((id, index) => [id, results[index] ?? '']));
}

/** Alone, and then the service answers and the next command runs. */
async function flood(service: Service, folder: string, id: string): Promise<string> {
  const calls = [command(id), reply.call('run_command', { command: 'echo STILL HERE' })];
  const played = await service.play(calls, { workspace: { path: folder } });
  const { status } = await service.call('GET /readyz', { as: null });
  expect(status).toBe(200);
  expect(played.results[1]).toContain('STILL HERE');
  for (let n = 1; n <= 8; n += 1) rmSync(join(folder, `part${n}`), { force: true });
  return played.results[0] ?? '';
}

async function expectNoLater(folder: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 7000));
  expect(existsSync(join(folder, 'later'))).toBe(false);
}

function expectPersonUntouched({ person }: Service): void {
  expect(existsSync(join(person, 'planted'))).toBe(false);
  expect(existsSync(join(person, '.gitconfig'))).toBe(false);
}

function targetsOf(service: Service, socket: string, abstract: string): BoxTargets {
  const { temporalAddress } = readRunState(service.home) ?? { temporalAddress: '' };
  const postmaster = readFileSync(join(databaseFolder(service.home), 'postmaster.pid'), 'utf8');
  return {
    ...{ home: service.home, person: service.person, other: service.workspaces.till },
    ...{ socket, abstract },
    apiPort: new URL(service.url).port,
    databasePort: postmaster.split('\n')[3] ?? '0',
    temporalPort: temporalAddress.split(':').at(-1) ?? '0',
  };
}

async function listening(path: string): Promise<Server> {
  const server = createServer((peer) => {
    peer.on('error', () => {});
    peer.end('CANARY-SOCKET');
  }).listen({ path });
  await new Promise((resolve) => server.once('listening', resolve));
  return server;
}

/** A program that asks the kernel for a user namespace by the 32-bit gate; none without a compiler. */
async function program(): Promise<Record<string, Buffer>> {
  const source = `#include <stdio.h>
int main() { long r; __asm__ volatile ("int $0x80" : "=a"(r) : "a"(310), "b"(0x10000000));
  puts(r == 0 ? "ESCAPED" : "refused"); return 0; }`;
  const file = `/tmp/goalkeeper-int80-${process.pid}`;
  const made = spawnSync('cc', ['-x', 'c', '-', '-o', file], { input: source });
  if (made.status !== 0) return {};
  const content = readFileSync(file);
  rmSync(file);
  return { int80: content };
}
