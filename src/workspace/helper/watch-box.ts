import type { ChildProcess } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listProcesses, readProcess } from '../../process/process-identity.ts';
import { SWAPPED } from '../../sandbox/same-places.ts';

/** Begins what is said of a command that never began. */
export const SANDBOX_UNMADE = 'the sandbox could not be made';

const POLL_MS = 5;
const PATIENCE_MS = 5000;

/** bwrap with what runs inside, seen from outside. */
export interface WatchedBox {
  /** Asks all that runs inside to end, but not bwrap: with it, they would have no time left. */
  terminate(): void;
  /** Resolves when nothing runs inside any more, whatever it did to outlive the command. */
  gone(): Promise<void>;
  /** Why the command never began; null when it did. */
  problem(exit: { exitCode: number | null }): Promise<string | null>;
}

export function watchBox(bwrap: ChildProcess, descriptor: number): WatchedBox {
  let told = '';
  const status = new Promise<string>((resolve) => {
    const stream = bwrap.stdio[descriptor];
    stream?.on('data', (chunk: Buffer) => {
      told += chunk.toString('latin1');
    });
    stream?.once('close', () => resolve(told));
  });
  const errors = readAll(bwrap, 2);
  return {
    terminate() {
      // Nothing runs inside before it is told.
      const first = firstInside(told) ?? undefined;
      for (const found of descendantsOf(listProcesses(), first)) signal(found, 'SIGTERM');
    },
    async gone() {
      const first = firstInside(await status);
      if (first === null) return;
      const deadline = performance.now() + PATIENCE_MS;
      while (isLeft(first) && performance.now() < deadline) await sleep(POLL_MS);
    },
    async problem({ exitCode }) {
      const said = (await errors).trim().slice(0, 500);
      const hasBegun = (await status).includes('"exit-code"') && !said.startsWith(SWAPPED);
      if (exitCode === null || hasBegun) return null;
      return `${SANDBOX_UNMADE}: ${said || `bwrap exited ${exitCode}`}`;
    },
  };
}

/** Its number here; null as long as there is none. */
function firstInside(told: string): number | null {
  const first = /"child-pid": (\d+)/.exec(told)?.[1];
  return first === undefined ? null : Number(first);
}

/** The first one inside becomes a zombie only when all others are gone. */
function isLeft(pid: number): boolean {
  const entry = readProcess(pid);
  return entry !== null && !entry.isZombie;
}

export function descendantsOf(
  entries: readonly { readonly pid: number; readonly parent: number }[],
  ancestor: number | undefined,
): number[] {
  const found = new Set<number>();
  const children = new Map<number, number[]>();
  for (const { pid, parent } of entries) {
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const open = ancestor === undefined ? [] : [ancestor];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const child of children.get(next) ?? []) {
      if (found.has(child)) continue;
      found.add(child);
      open.push(child);
    }
  }
  return [...found];
}

function readAll(process: ChildProcess, descriptor: number): Promise<string> {
  const stream = process.stdio[descriptor];
  if (!stream || !('read' in stream)) return Promise.resolve('');
  return text(stream).catch(() => '');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself meanwhile.
  }
}
