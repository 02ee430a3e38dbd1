import { StoreFailed } from '../checkpoints/store-git.ts';
import type { BeginningLookPort } from '../contract/worktrees.ts';
import { GitSilent } from '../workspace/git/run-git.ts';
import { WorktreeFailed } from './as-owner.ts';
import { problemOfBeginning, type Sources } from './begin-with.ts';

/** Looks on this machine; what can't be read here the worker tells as the goal begins. */
export function createBeginningLook(sources: Sources, host: string): BeginningLookPort {
  return {
    async problem(workspace, begins) {
      if (workspace.host !== host) return null;
      try {
        return await problemOfBeginning(sources, workspace.path, begins);
      } catch (error) {
        if (isUnread(error)) return null;
        throw error;
      }
    },
  };
}

const isUnread = (error: unknown): boolean =>
  error instanceof StoreFailed || error instanceof WorktreeFailed || error instanceof GitSilent;
