import { randomUUID } from 'node:crypto';
import { link, mkdtemp, readFile, realpath, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { Refusal } from '../contract/failures.ts';
import type { IntakePort, Tree } from '../contract/intake.ts';
import type { WorkspacesPort } from '../contract/workspaces.ts';
import { repositoryAt } from '../workspace/git/own-repository.ts';
import { worktreeProblemOf } from '../workspace/git/plain-files.ts';
import { ifSilent, runGit } from '../workspace/git/run-git.ts';
import { MARKER_FILE } from '../workspace/paths.ts';
import { isInside, refusedPlace } from '../workspace/refused-place.ts';
import { workspaceNameOf } from '../workspace/workspace-name.ts';

interface Served {
  readonly name: string;
  readonly path: string;
  readonly host: string;
}

export interface WorkspaceOptions {
  readonly host?: string;
  /** The service's own, which no workspace lies in or around. */
  readonly home?: string;
  /** All workspaces that were registered. */
  readonly known?: () => Promise<readonly Served[]>;
}

/** Registers trees of this machine, so that workers of this host serve them. */
export function createWorkspaces(
  intake: Pick<IntakePort, 'registerWorkspace'>,
  { host = hostname(), home, known = async () => [] }: WorkspaceOptions = {},
): WorkspacesPort & { registerAs(name: string, path: string): Promise<{ name: string }> } {
  const servedAt: WorkspacesPort['servedAt'] = async (path, known) => {
    const folder = await identityOf(path);
    if (folder === null) return [];
    const own = known.filter((one) => one.host === host);
    const folders = await Promise.all(own.map((one) => identityOf(one.path)));
    return own.filter((_, index) => folders[index] === folder);
  };
  const look = async (path: string, name?: string): Promise<Tree> => {
    const tree = await folderAt(path);
    const why = await refusedPlace(tree, home);
    if (why !== null) throw refused(why);
    await assertApart(
      tree,
      (await known()).filter((other) => other.host === host),
    );
    const isRepository = await isTopOfRepository(tree);
    return {
      name: name ?? workspaceNameOf(tree),
      path: tree,
      host,
      marker: await markTree(tree),
      isRepository,
      worktreeProblem: isRepository
        ? await worktreeProblemOf(tree).catch(ifSilent(null))
        : await foreignAt(tree),
    };
  };
  const register = async (path: string, name?: string) => {
    const tree = await look(path, name);
    await intake.registerWorkspace(tree);
    return { name: tree.name };
  };
  return { servedAt, look, register, registerAs: (name, path) => register(path, name) };
}

const refused = (detail: string): Refusal =>
  new Refusal('unknown_workspace', detail, { field: 'workspace.path' });

/**
 * What one goal wrote would change under the goal of another workspace, which holds no lease there.
 * One that was registered before this was asked stays.
 */
async function assertApart(tree: string, others: readonly Served[]): Promise<void> {
  if (others.some(({ path }) => path === tree)) return;
  for (const { name, path } of others) {
    const [outer, inner] = isInside(path, tree) ? [path, tree] : [tree, path];
    // A folder that lost its marker is no workspace any more.
    if (!isInside(outer, inner) || (await markerOf(path)) === null) continue;
    const marker = `remove ${MARKER_FILE} in ${path} (or in its .git) if it is none any more`;
    throw refused(
      `${inner} lies in ${outer}, and ${path} is the workspace "${name}": two workspaces share no files; name that one, or ${marker}`,
    );
  }
}

/** The same for all paths of a folder, through links and mounts; null = there is none. */
async function identityOf(path: string): Promise<string | null> {
  if (!isAbsolute(path)) return null;
  const folder = await stat(path, { bigint: true }).catch(() => null);
  return folder?.isDirectory() ? `${folder.dev}:${folder.ino}` : null;
}

/** With a commit: from there worktrees can be made. */
async function isTopOfRepository(tree: string): Promise<boolean> {
  // Folders without `.git` skip the call of git, because they are registered with each goal.
  if ((await stat(join(tree, '.git')).catch(() => null)) === null) return false;
  const call = { folder: tree };
  const top = await runGit(call, ['rev-parse', '--show-toplevel']);
  const head = await runGit(call, ['rev-parse', '-q', '--verify', 'HEAD^{commit}']);
  return head !== null && top !== null && (await realpath(top.trim()).catch(() => '')) === tree;
}

/** Git calls nothing its own there, though there is one. */
async function foreignAt(tree: string): Promise<'foreign_repository' | null> {
  const found = await repositoryAt(tree);
  return found.kind === 'foreign' && found.top === tree ? 'foreign_repository' : null;
}

async function folderAt(path: string): Promise<string> {
  const tree = await realpath(path).catch(() => null);
  if (tree === null || !(await stat(tree)).isDirectory()) {
    throw refused(`There is no folder at ${path} on the machine of the API`);
  }
  return tree;
}

/**
 * The marker lies in `.git/` or, without git, beside the files; the first worker sets the name. A
 * folder that became a repository later keeps the one that it has.
 */
async function markTree(tree: string): Promise<string> {
  const known = await markerOf(tree);
  if (known !== null) return known;
  const [folder = tree] = await markerFolders(tree);
  try {
    return await writeMarker(join(folder, MARKER_FILE), folder);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw refused(
      `${tree} can't be a workspace: the service has to write its marker there, and can't (${why})`,
    );
  }
}

async function markerOf(tree: string): Promise<string | null> {
  for (const folder of await markerFolders(tree)) {
    const marker = await readMarker(join(folder, MARKER_FILE));
    if (marker !== null) return marker;
  }
  return null;
}

/** A command of a goal reaches the second one more easily. */
async function markerFolders(tree: string): Promise<readonly string[]> {
  const gitFolder = join(tree, '.git');
  const entry = await stat(gitFolder).catch(() => null);
  return entry?.isDirectory() ? [gitFolder, tree] : [tree];
}

const readMarker = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => text.trim() || null,
    () => null,
  );

/** Linked into place, so that two at once agree on the first one's content. */
async function writeMarker(path: string, folder: string): Promise<string> {
  const scratch = await mkdtemp(join(folder, `${MARKER_FILE}-`));
  const file = join(scratch, 'marker');
  const marker = randomUUID();
  try {
    await writeFile(file, `${marker}\n`);
    await link(file, path);
    await unlink(file);
    return marker;
  } catch (error) {
    const winner = await readMarker(path);
    if (winner === null) throw error;
    return winner;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
