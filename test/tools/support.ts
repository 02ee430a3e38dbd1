import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Effects, startEffects } from '../../src/tools/effects/client.ts';
import { readProcess } from '../../src/tools/effects/identity.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import type { ProcessIdentity } from '../../src/turn/ports.ts';

export async function temporaryFolder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'goalkeeper-tools-')));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

export interface TestEffects {
  readonly effects: Effects;
  readonly spawned: ProcessIdentity[];
}

export function testEffects(): TestEffects {
  const spawned: ProcessIdentity[] = [];
  const effects = startEffects({
    host: hostname(),
    onSpawn: async (helper) => void spawned.push(helper),
  });
  onTestFinished(() => effects.close());
  return { effects, spawned };
}

export function testContext(path: string, effects: Effects): ToolContext {
  return {
    workspace: { name: 'test', path },
    effects,
    signal: new AbortController().signal,
    callId: 't1.s1.0',
    todos: { revision: 0, items: [] },
    receipts: async () => [],
    criteria: [],
    openProposals: async () => [],
    maxOpenProposals: 5,
    watched: [],
    writeSeq: 0,
  };
}

export function isAlive(pid: number): boolean {
  const entry = readProcess(pid);
  return entry !== null && !entry.isZombie;
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 8000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('the condition never held');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
