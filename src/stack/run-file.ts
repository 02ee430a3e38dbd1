import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalProcess } from '../contract/process-identity.ts';
import { endProcess } from '../process/end-process.ts';
import { readFileIfAny, writePrivateFile } from '../process/private-file.ts';

/** The running service's message to the CLI, and to the next run if this one is killed. */
export interface RunState {
  readonly pid: number;
  /** null until the API answers. */
  readonly apiUrl: string | null;
  readonly temporalAddress: string;
  readonly startedAt: string;
  /** API and workers. */
  readonly children: Readonly<Record<string, LocalProcess>>;
  /** What leaves this machine open, for whoever started it in the background. */
  readonly warnings?: readonly string[];
}

export function writeRunState(home: string, state: RunState): void {
  writePrivateFile(path(home), `${JSON.stringify(state, null, 2)}\n`);
}

/** @returns null when there is none or it is damaged. */
export function readRunState(home: string): RunState | null {
  try {
    return JSON.parse(readFileIfAny(path(home)) ?? 'null') as RunState | null;
  } catch {
    return null;
  }
}

export function removeRunState(home: string): void {
  rmSync(path(home), { force: true });
}

const GRACE_MS = 5_000;

/** Ends the API and the workers of a run that was killed, before its servers are touched. */
export async function endLeftoverChildren(home: string): Promise<void> {
  const children = Object.values(readRunState(home)?.children ?? {});
  await Promise.all(children.map((child) => endProcess(child, ['SIGTERM', 'SIGKILL'], GRACE_MS)));
  removeRunState(home);
}

function path(home: string): string {
  return join(home, 'run.json');
}
