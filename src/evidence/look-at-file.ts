import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Criterion } from '../../schema/criteria.ts';
import { takeFingerprint } from '../workspace/fingerprint.ts';
import { hashResolvedFile } from '../workspace/hash-file.ts';
import { PathRefused, resolveInside, type SafePath } from '../workspace/paths.ts';
import { readResolvedFile } from '../workspace/regular-file.ts';
import { matchText } from './match-text.ts';

export type FileSpec = Extract<Criterion, { kind: 'file' }>;

export interface FileLook {
  readonly holds: boolean;
  readonly reason: string;
}

const MAX_BYTES = 10 * 1024 * 1024;

/** @param hashBefore of a protected path at the baseline; undefined = not recorded */
export async function lookAtFile(
  workspace: string,
  spec: FileSpec,
  hashBefore: string | null | undefined,
): Promise<FileLook> {
  try {
    const path = await resolveInside(workspace, spec.path);
    if (spec.exists === true) return lookForIt(path, spec.type ?? 'file');
    if (spec.exists === false) return lookWhetherGone(path);
    if (spec.matches !== undefined) {
      return await lookInside(path, spec.matches, () => readResolvedFile(path.absolute, MAX_BYTES));
    }
    return await lookUnchanged(path, hashBefore);
  } catch (error) {
    if (error instanceof PathRefused) return { holds: false, reason: error.message };
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return { holds: false, reason: `${spec.path} can't be read: ${(error as Error).message}` };
  }
}

/** What lies at a path: in a folder, or in a tree that is kept. */
type Lying = Pick<SafePath, 'relative' | 'kind'>;

export function lookForIt({ relative, kind }: Lying, wanted: 'file' | 'folder'): FileLook {
  if (kind === wanted) return { holds: true, reason: `${relative} exists` };
  const is = kind === 'absent' ? 'is absent' : `is a ${kind}, and a ${wanted} is asked for`;
  return { holds: false, reason: `${relative} ${is}` };
}

function lookWhetherGone({ relative, kind }: SafePath): FileLook {
  const isGone = kind === 'absent';
  return { holds: isGone, reason: `${relative} ${isGone ? 'is absent' : 'exists'}` };
}

export async function lookInside(
  { relative, kind }: Lying,
  pattern: string,
  read: () => Promise<Buffer | null>,
): Promise<FileLook> {
  if (kind !== 'file') return { holds: false, reason: `${relative} is no file` };
  const content = await read().catch((error: Error) => error);
  if (content === null) return { holds: false, reason: `${relative} is absent` };
  if (content instanceof Error) {
    return { holds: false, reason: `${relative} can't be read: ${content.message}` };
  }
  const isMatch = await matchText(pattern, content.toString('utf8'));
  if (isMatch === 'timeout') {
    return { holds: false, reason: `the pattern took too long on ${relative}` };
  }
  return { holds: isMatch, reason: `${relative} ${isMatch ? 'matches' : 'does not match'}` };
}

async function lookUnchanged(path: SafePath, before: string | null | undefined): Promise<FileLook> {
  const { relative } = path;
  if (before === undefined) {
    return { holds: false, reason: `${relative} was not looked at before the work began` };
  }
  const holds = (await hashTree(path)) === before;
  return { holds, reason: `${relative} is ${holds ? 'unchanged' : 'changed since the start'}` };
}

/** Hash of a protected path for the baseline; a folder includes everything in it. */
export async function hashProtected(workspace: string, path: string): Promise<string | null> {
  return hashTree(await resolveInside(workspace, path));
}

async function hashTree({ absolute, kind }: SafePath): Promise<string | null> {
  if (kind === 'absent') return null;
  if (kind === 'file') return await hashResolvedFile(absolute);
  const hash = createHash('sha256');
  for (const path of [...(await takeFingerprint(absolute)).keys()].sort()) {
    hash.update(
      `${path}\0${await hashResolvedFile(join(absolute, path)).catch(() => 'unreadable')}\n`,
    );
  }
  return hash.digest('hex');
}
