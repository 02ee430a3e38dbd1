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
  return lockFile(join(home, 'up.lock'), ({ pid }) => {
    throw new AlreadyRunning(home, pid, urlOfRunning());
  });
}

/**
 * A lock of this process, which ends with it: that of a process that is gone is taken.
 * @param refuse throws, as another process holds it.
 * @returns what gives the lock back.
 */
export function lockFile(lock: string, refuse: (holder: LocalProcess) => never): () => void {
  const claim = `${lock}.${process.pid}`;
  writeFileSync(claim, JSON.stringify(identify(process.pid)), { mode: 0o600 });
  try {
    while (!linkIfFree(claim, lock)) {
      const holder = parse(readFileIfAny(lock));
      if (holder && isRunning(holder)) refuse(holder);
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
