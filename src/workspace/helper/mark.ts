import { readFileSync } from 'node:fs';
import type { LocalProcess } from '../../contract/process-identity.ts';

export const MARK_NAME = 'GOALKEEPER_ATTEMPT';

/** The mark in the environment of every command of a helper; it survives a `setsid`. */
export function markOf(identity: LocalProcess): string {
  return `${identity.pid}:${identity.startedAt}`;
}

export function carriesMark(pid: number, mark: string): boolean {
  return environmentOf(pid)?.split('\0').includes(`${MARK_NAME}=${mark}`) ?? false;
}

function environmentOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return null;
  }
}
