import { readFileSync, readlinkSync } from 'node:fs';
import type { LocalProcess } from '../../contract/process-identity.ts';

export const MARK_NAME = 'GOALKEEPER_ATTEMPT';

/** The mark in the environment of every command of a helper; it survives a `setsid`. */
export function markOf(identity: LocalProcess): string {
  return `${identity.pid}:${identity.startedAt}`;
}

export function carriesMark(pid: number, mark: string): boolean {
  return environmentOf(pid)?.split('\0').includes(`${MARK_NAME}=${mark}`) ?? false;
}

/**
 * Does the process run the helper's program, below a bwrap of its own or not? Whoever imitates that
 * on a machine only offers a process of their own. One that is ending shows no program any more.
 */
export function runsAsHelper(pid: number): boolean {
  const command = readOf(pid, 'cmdline');
  if (command === null) return false;
  if (command === '') return !hasProgram(pid);
  return command.split('\0').some((argument) => /\/helper\.(?:cjs|ts)$/.test(argument));
}

function hasProgram(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) !== '';
  } catch {
    return false;
  }
}

const environmentOf = (pid: number): string | null => readOf(pid, 'environ');

function readOf(pid: number, what: 'cmdline' | 'environ'): string | null {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return null;
  }
}
