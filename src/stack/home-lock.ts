import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalProcess } from '../contract/process-identity.ts';
import { readFileIfAny } from '../process/private-file.ts';
import { identify, isRunning } from '../process/process-identity.ts';

/** Another `up` serves this home. */
export class AlreadyRunning extends Error {
  readonly pid: number;
  /** null while it is still starting. */
  readonly url: string | null;

  constructor(home: string, pid: number, url: string | null) {
    super(`Goalkeeper already runs from ${home} (pid ${pid}${url ? `, ${url}` : ', starting'}).`);
    this.name = 'AlreadyRunning';
    this.pid = pid;
    this.url = url;
  }
}

/**
 * Makes this process the only one that serves a home; the lock of a process that is gone is taken.
 * @returns what gives the lock back.
 * @throws AlreadyRunning
 */
export function lockHome(home: string, urlOfRunning: () => string | null): () => void {
  const lock = join(home, 'up.lock');
  const claim = `${lock}.${process.pid}`;
  writeFileSync(claim, JSON.stringify(identify(process.pid)), { mode: 0o600 });
  try {
    while (!linkIfFree(claim, lock)) {
      const holder = parse(readFileIfAny(lock));
      if (holder && isRunning(holder)) throw new AlreadyRunning(home, holder.pid, urlOfRunning());
      removeStale(lock, `${claim}.stale`);
    }
  } finally {
    rmSync(claim, { force: true });
  }
  return () => rmSync(lock, { force: true });
}

/** A link, unlike a created file, has its content from the first moment. */
function linkIfFree(claim: string, lock: string): boolean {
  try {
    linkSync(claim, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moved aside before it goes: what was moved may be the fresh lock of a quicker process. */
function removeStale(lock: string, aside: string): void {
  try {
    renameSync(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const moved = parse(readFileIfAny(aside));
  if (moved && isRunning(moved)) linkIfFree(aside, lock);
  rmSync(aside, { force: true });
}

function parse(content: string | null): LocalProcess | null {
  try {
    const { pid, startedAt } = JSON.parse(content ?? '') as LocalProcess;
    return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : null;
  } catch {
    return null;
  }
}
