import { randomUUID } from 'node:crypto';
import { link, mkdtemp, readFile, realpath, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { Refusal } from '../contract/failures.ts';
import type { IntakePort, Tree } from '../contract/intake.ts';
import type { WorkspacesPort } from '../contract/workspaces.ts';
import { worktreeProblemOf } from '../workspace/git/plain-files.ts';
import { ifSilent, runGit } from '../workspace/git/run-git.ts';
import { MARKER_FILE } from '../workspace/paths.ts';
import { workspaceNameOf } from '../workspace/workspace-name.ts';
import { workspaceQueueOf } from './names.ts';

/** Registers trees of this machine, so that workers of this host serve them. */
export function createWorkspaces(
  intake: Pick<IntakePort, 'registerWorkspace'>,
  { host = hostname(), home }: { readonly host?: string; readonly home?: string } = {},
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
    await assertOutside(home, tree);
    const isRepository = await isTopOfRepository(tree);
    return {
      name: name ?? workspaceNameOf(tree),
      path: tree,
      host,
      taskQueue: workspaceQueueOf(host),
      marker: await markTree(tree),
      isRepository,
      worktreeProblem: isRepository ? await worktreeProblemOf(tree).catch(ifSilent(null)) : null,
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

/** There lie the rules that goals are held to, the service's tokens and its record. */
async function assertOutside(home: string | undefined, tree: string): Promise<void> {
  if (home === undefined) return;
  const way = relative(await realpath(home).catch(() => home), tree);
  if (way === '..' || way.startsWith('../') || isAbsolute(way)) return;
  throw refused(`${tree} is the service's own home, which no goal works in; name another folder`);
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

async function folderAt(path: string): Promise<string> {
  const tree = await realpath(path).catch(() => null);
  if (tree === null || !(await stat(tree)).isDirectory()) {
    throw refused(`There is no folder at ${path} on the machine of the API`);
  }
  return tree;
}

/** The marker lies in `.git/` or, without git, beside the files; the first worker sets the name. */
async function markTree(tree: string): Promise<string> {
  const gitFolder = join(tree, '.git');
  const isRepository = await stat(gitFolder).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  const path = join(isRepository ? gitFolder : tree, MARKER_FILE);
  const known = await readMarker(path);
  if (known !== null) return known;
  try {
    return await writeMarker(path, isRepository ? gitFolder : tree);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw refused(
      `${tree} can't be a workspace: the service has to write its marker there, and can't (${why})`,
    );
  }
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
