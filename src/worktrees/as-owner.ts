import { realpath } from 'node:fs/promises';
import { commandUser, type Owner } from '../sandbox/command-user.ts';
import { hasNamespaces } from '../sandbox/namespace.ts';
import { hostProgram } from '../sandbox/program-path.ts';
import { writingOnly } from '../sandbox/stage.ts';
import { repositoryAt, treeAround } from '../workspace/git/own-repository.ts';
import { runGit } from '../workspace/git/run-git.ts';

export class WorktreeFailed extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'WorktreeFailed';
  }
}

/**
 * Begins git that writes to the repository of a folder: as who owns the folder, and to the trees of
 * this repository alone. Commands may swap what it writes to with links meanwhile.
 *
 * @param folder of a worktree, or of the repository itself
 * @param further folders that it writes to, where no command writes around them
 * @throws WorktreeFailed where the folder belongs to a repository that does not know it
 */
export async function asOwner(folder: string, further: readonly string[] = []): Promise<string[]> {
  const found = await repositoryAt(folder);
  if (found.kind === 'foreign') {
    throw new WorktreeFailed(
      `${found.top} names a repository which does not know it: keep the repository in the folder itself (.git)`,
    );
  }
  const common = await ask(folder, '--git-common-dir');
  if (common === null) return [];
  const top = (await ask(folder, '--show-toplevel')) ?? treeAround(common);
  const user = await commandUser(folder);
  const rights = user.kind === 'owner' ? becoming(user) : [];
  if (!(await hasNamespaces())) return rights;
  return [...writingOnly([top, treeAround(common), ...further]), ...rights];
}

async function ask(folder: string, what: string): Promise<string | null> {
  const said = await runGit({ folder }, ['rev-parse', '--path-format=absolute', what]);
  return said === null ? null : await realpath(said.replace(/\n$/, '')).catch(() => null);
}

/** Folders on the way may be closed to the owner: the service's home is. */
const PASSES_ONLY = '-all,+dac_read_search';

const becoming = ({ uid, gid }: Owner): string[] => [
  ...[hostProgram('setpriv'), '--reuid', String(uid), '--regid', String(gid), '--clear-groups'],
  ...['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=${PASSES_ONLY}`),
  ...['--no-new-privs', '--'],
];
