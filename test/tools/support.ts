import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ProcessIdentity } from '../../src/contract/process-identity.ts';
import { identifyRunning, readProcess } from '../../src/process/process-identity.ts';
import { asTheWorker } from '../../src/sandbox/without.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { type Effects, startEffects } from '../../src/workspace/helper/client.ts';
import { WAYS, type Way } from '../workspace/helper/ways.ts';

export async function temporaryFolder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'goalkeeper-tools-')));
  onTestFinished(() => removeFolder(path));
  return path;
}

/** A test may have taken the rights away that removing it needs. */
async function removeFolder(path: string): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true });
  await remove().catch(async () => {
    spawnSync('chmod', ['-R', '-f', 'u+rwX', path]);
    await remove();
  });
}

export interface TestEffects {
  readonly effects: Effects;
  readonly spawned: ProcessIdentity[];
  /** The number of the helper that was started; throws when there is none. */
  helper(): number;
}

export function testEffects(way: Way = 'numbered'): TestEffects {
  const spawned: ProcessIdentity[] = [];
  const effects = startEffects({
    host: hostname(),
    onSpawn: async (helper) => void spawned.push(helper),
    canHaveNumbers: WAYS[way],
    box: asTheWorker,
  });
  onTestFinished(() => effects.close());
  const helper = () => {
    const [first] = spawned;
    if (first === undefined) throw new Error('no helper was started');
    return first.pid;
  };
  return { effects, spawned, helper };
}

export function testContext(path: string, effects: Effects): ToolContext {
  return {
    workspace: { name: 'test', path },
    effects,
    signal: new AbortController().signal,
    callId: 't1.s1.0',
    idempotencyKey: 'g-1/t1.s1.0',
    todos: { revision: 0, items: [] },
    receipts: async () => [],
    criteria: [],
    openProposals: async () => [],
    maxOpenProposals: 5,
    watched: [],
    writeSeq: 0,
  };
}

/** As a helper on this machine is recorded. */
export const onHost = (pid: number): ProcessIdentity => ({
  host: hostname(),
  ...identifyRunning(pid),
});

export function isAlive(pid: number): boolean {
  const entry = readProcess(pid);
  return entry !== null && !entry.isZombie;
}

/** This host's number of what a command knows as `pid`; in the helper's namespace that is another. */
export function hostPid(helper: number, pid: number): number {
  const space = readlinkSync(`/proc/${helper}/ns/pid`);
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((name) => innermostPid(name) === pid && spaceOf(name) === space);
  if (found === undefined) throw new Error(`no process ${pid} beside the helper ${helper}`);
  return Number(found);
}

function innermostPid(name: string): number | null {
  try {
    const status = readFileSync(`/proc/${name}/status`, 'utf8');
    return Number(/^NSpid:.*\s(\d+)$/m.exec(status)?.[1]);
  } catch {
    return null;
  }
}

function spaceOf(name: string): string | null {
  try {
    return readlinkSync(`/proc/${name}/ns/pid`);
  } catch {
    return null;
  }
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('the condition never held');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
