import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ScopeLook, ScopeNotice } from '../../../schema/scope.ts';
import { lookAtTree, TooLarge } from '../../checkpoints/look.ts';
import { StoreFailed } from '../../checkpoints/store-git.ts';
import { BaseRefused } from '../../contract/base.ts';
import type { ScopeLookPort } from '../../contract/scope-look.ts';
import { scopeTest } from '../../proof/scope/scope.ts';
import { noProof, scopeNotices } from '../../proof/scope/scope-notices.ts';
import { checkedBase } from '../../proof-place/base-tree.ts';
import { trackedPaths } from '../../proof-place/original.ts';
import { repositoryFacts } from '../../proof-place/repository-facts.ts';
import { GitSilent } from '../../workspace/git/run-git.ts';
import { contentOfFile } from '../../workspace/small-file.ts';
import { ignoredFiles } from './delivered-files.ts';
import { lookAtSetups } from './setup-look.ts';
import { toldScope } from './told-scope.ts';

/**
 * Looks at workspaces of this machine, as the baseline of a goal would.
 *
 * @param home of the worker here, which keeps what setups installed
 */
export function createScopeLook(home: string, host: string = hostname()): ScopeLookPort {
  return {
    async look(workspace, start) {
      if (start.policy.proof === 'workspace') return nothing(noProof(BY_WORKSPACE));
      if (workspace.host !== host) return nothing(elsewhere(workspace.host));
      try {
        return await lookHere(home, workspace.path, start);
      } catch (error) {
        if (error instanceof TooLarge || error instanceof GitSilent) {
          return nothing(noProof(error.message));
        }
        throw error;
      }
    },

    async base(workspace, name) {
      if (workspace.host !== host) {
        throw new BaseRefused(
          'elsewhere',
          `the workspace lies on ${workspace.host}, where this API cannot look up a commit: leave the base out, or start the goal by the API of that machine`,
        );
      }
      try {
        return await checkedBase(workspace.path, name);
      } catch (error) {
        if (!(error instanceof StoreFailed) && !(error instanceof GitSilent)) throw error;
        throw new BaseRefused(
          'damaged',
          `git could not read the base (${error.message}): repair the repository, fetch what it lacks, or leave the base out`,
        );
      }
    },
  };
}

const BY_WORKSPACE = 'policy.proof says that the workspace alone is looked at';

const elsewhere = (host: string): ScopeNotice => ({
  code: 'not_seen',
  level: 'verified',
  text: `The workspace lies on ${host}, where this API cannot look: the goal tells its scope as it begins.`,
});

const nothing = (notice: ScopeNotice): ScopeLook => ({
  scope: null,
  files: 0,
  total: 0,
  notices: [notice],
  setups: [],
});

async function lookHere(
  home: string,
  workspace: string,
  start: Parameters<ScopeLookPort['look']>[1],
): Promise<ScopeLook> {
  const { scope: given, criteria } = start;
  const tracked = await trackedPaths(workspace);
  const { stamps, leftOut, unread } = await lookAtTree(workspace, tracked);
  const paths = [...stamps.keys()];
  const read = (path: string) => contentOfFile(join(workspace, path))?.toString() ?? null;
  const scope = toldScope(given, criteria, { paths, read });
  const files = paths.filter(scopeTest(scope)).length;
  const ignored = await ignoredFiles(workspace, criteria, (path) => stamps.has(path));
  const known = { scope, files, total: paths.length, leftOut, unread, ignored };
  const notices = scopeNotices({ ...known, ...(await repositoryFacts(workspace)) });
  const setups = await lookAtSetups(home, workspace, paths, start);
  return { scope, files, total: paths.length, notices, setups };
}
