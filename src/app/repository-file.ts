import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import type { Criterion } from '../../schema/criteria.ts';
import type { FollowingGoal } from '../../schema/goal.ts';
import type { WorkspaceTemplates } from '../../schema/workspace-template.ts';
import { ConfigError } from '../contract/config.ts';
import { isInRepository } from '../workspace/git/repository.ts';
import { runGit } from '../workspace/git/run-git.ts';
import { PathRefused } from '../workspace/paths.ts';
import { FileTooLarge, readRegularFile } from '../workspace/regular-file.ts';
import type { ChosenTemplate, JudgedTerms, RawTemplate } from './repository-terms.ts';

const NAMES = ['goalkeeper.json', 'goalkeeper.yaml', 'goalkeeper.yml'];
const MOST_BYTES = 256 * 1024;

export interface RepositoryTerms extends JudgedTerms {
  /** Are they those of the last commit? Null outside of repositories. */
  readonly isCommitted: boolean | null;
}

/**
 * Reads the file at the root of a workspace. It is the text of whoever wrote the repository: it is
 * no link and no device, and all that it says is judged before anything of it counts.
 * @returns null where there is none
 * @throws ConfigError with the file, the place in it and the way out
 */
export async function termsOfWorkspace(
  workspace: string,
  template: ChosenTemplate | null,
): Promise<RepositoryTerms | null> {
  const found = await fileOf(workspace);
  return found === null ? null : termsIn(found.path, found.text, template);
}

/**
 * Its templates, as people choose among them.
 * @throws ConfigError
 */
export async function templatesOfWorkspace(workspace: string): Promise<WorkspaceTemplates> {
  const found = await fileOf(workspace);
  if (found === null) return { file: null, isCommitted: null, items: [] };
  const { path, text } = found;
  const items = (await reader()).templatesIn(path, text);
  return { file: basename(path), isCommitted: await isCommitted(path, text), items };
}

/** @throws ConfigError where there are two */
async function fileOf(workspace: string): Promise<{ path: string; text: string } | null> {
  const paths = NAMES.map((name) => join(workspace, name));
  const texts = await Promise.all(paths.map(async (path) => ({ path, text: await textOf(path) })));
  const [found, other] = texts.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]));
  if (other === undefined) return found ?? null;
  throw new ConfigError(`${found?.path} and ${other.path}`, 'are both there', 'Keep one of them.');
}

/**
 * A template of the file at the root of a workspace, or of a file that a person names, whose
 * parameters get their values later.
 * @throws ConfigError
 */
export async function rawTemplate(
  place: { readonly workspace: string } | { readonly file: string },
  name: string,
): Promise<RawTemplate> {
  const paths =
    'file' in place ? [resolve(place.file)] : NAMES.map((one) => join(place.workspace, one));
  for (const path of paths) {
    const text = await textOf(path);
    if (text !== null) return (await reader()).templateIn(path, text, name);
  }
  const wayOut = 'Write goalkeeper.yaml in the workspace, or name a file by --terms FILE.';
  throw new ConfigError(paths.at(-1) ?? '', `is not there: no template ${name}`, wayOut);
}

/**
 * A definition that a person writes, as YAML or JSON.
 * @throws ConfigError
 */
export async function definitionOfFile(named: string): Promise<unknown> {
  const path = resolve(named);
  return (await reader()).definitionIn(path, await namedText(path));
}

/**
 * The same for a file that a person names.
 * @throws ConfigError
 */
export async function termsOfFile(
  named: string,
  template: ChosenTemplate | null,
): Promise<RepositoryTerms> {
  const path = resolve(named);
  return termsIn(path, await namedText(path), template);
}

async function termsIn(
  path: string,
  text: string,
  template: ChosenTemplate | null,
): Promise<RepositoryTerms> {
  const judged = (await reader()).termsIn(path, text, template);
  return { ...judged, isCommitted: await isCommitted(path, text) };
}

/** Whoever works in a repository, as a goal does, may have changed the file since. */
async function isCommitted(path: string, text: string): Promise<boolean | null> {
  const folder = dirname(path);
  if (!(await isInRepository(folder))) return null;
  const asked = ['rev-parse', '-q', '--verify', `HEAD:./${basename(path)}`];
  const object = (await runGit({ folder }, asked))?.trim();
  if (object === undefined) return false;
  const content = Buffer.from(text);
  const hash = createHash(object.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex') === object;
}

/**
 * Criteria of every kind, as a list in a file.
 * @throws ConfigError
 */
export async function criteriaOfFile(named: string): Promise<Criterion[]> {
  const path = resolve(named);
  return (await reader()).criteriaIn(path, await namedText(path));
}

/**
 * A list of goals that come after one, in a file of its own.
 * @throws ConfigError
 */
export async function followingOfFile(named: string): Promise<FollowingGoal[]> {
  const path = resolve(named);
  return (await reader()).followingIn(path, await namedText(path));
}

/** Loaded where there is something to read. */
const reader = () => import('./repository-terms.ts');

async function namedText(path: string): Promise<string> {
  const text = await textOf(path);
  if (text !== null) return text;
  throw new ConfigError(path, 'is not there', 'Name a file that can be read.');
}

async function textOf(path: string): Promise<string | null> {
  const bytes = await bytesOf(path);
  return bytes === null ? null : (await import('./parsed-file.ts')).textIn(path, bytes);
}

async function bytesOf(path: string): Promise<Buffer | null> {
  try {
    return await readRegularFile(path, MOST_BYTES);
  } catch (error) {
    const wayOut = `Let ${basename(path)} be a file that can be read, of at most ${MOST_BYTES} bytes.`;
    if (error instanceof PathRefused || error instanceof FileTooLarge) {
      throw new ConfigError(path, 'is a link, no regular file or too large', wayOut);
    }
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(path, `can't be read (${code})`, wayOut);
  }
}
