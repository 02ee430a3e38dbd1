import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitBasis } from '../../contract/goal-brief.ts';
import { hashResolvedFile } from '../hash-file.ts';
import { openRepository } from './repository.ts';

export interface GitState extends GitBasis {
  readonly branch: string | null;
  /** Tracked files that differ from the last commit. */
  readonly modified: readonly string[];
  /** Files that git neither tracks nor ignores. */
  readonly untracked: readonly string[];
  /** Files that the commits since the baseline changed. */
  readonly committed: readonly string[];
}

const MOST_LOOSE = 2000;

/** Null where there is no repository. */
export async function readGit(workspace: string, since: GitBasis | null): Promise<GitState | null> {
  const repository = await openRepository(workspace);
  if (repository === null) return null;
  try {
    const { branch, head } = repository;
    const [modified, untracked] = [await repository.modified(), await repository.untracked()];
    const committed = since === null ? [] : await repository.changedSince(since.head);
    const loose = await hashes(workspace, [...modified, ...untracked]);
    return { branch, head, modified, untracked, committed, loose };
  } finally {
    await repository.close();
  }
}

async function hashes(
  workspace: string,
  paths: readonly string[],
): Promise<Record<string, string | null>> {
  const root = await realpath(workspace);
  const found: Record<string, string | null> = {};
  for (const path of paths.slice(0, MOST_LOOSE)) {
    found[path] = await hashResolvedFile(join(root, path)).catch(() => null);
  }
  return found;
}
