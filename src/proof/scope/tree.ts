import { posix } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { extensionOf, folderOf, isCode, nameOf } from './code-files.ts';
import { isAside, isJudgeLike } from './judge-like.ts';

/** What the host knows of a project at its start. */
export interface Project {
  /** Every file that git does not ignore. */
  readonly paths: readonly string[];
  /** The text of a file; null where it is absent, binary or too large. */
  readonly read: (path: string) => string | null;
  /** Commands of the criteria. */
  readonly commands: readonly string[];
}

/** The original tree, as the ecosystems look at it. */
export interface Tree {
  /** Sorted, so that nothing depends on the order in which files were listed. */
  readonly files: readonly string[];
  has(path: string): boolean;
  read(path: string): string | null;
  /** Files in a folder and below it; '' is the whole tree. */
  inside(folder: string): readonly string[];
  holdsCode(folder: string): boolean;
  json(path: string): Json;
  importsOf(path: string): readonly string[];
}

/** Paths that a file of these extensions imports, as far as its text tells. */
export interface ImportReader {
  readonly extensions: readonly string[];
  readonly importsOf: (tree: Tree, path: string) => readonly string[];
}

export function treeOf(project: Project, readers: readonly ImportReader[]): Tree {
  const files = [...new Set(project.paths)].sort();
  const known = new Set(files);
  const read = once((path) => (known.has(path) ? project.read(path) : null));
  const readerOf = new Map(
    readers.flatMap((reader) => reader.extensions.map((one) => [one, reader] as const)),
  );
  // In sorted order, `0` is the sign behind `/`.
  const inside = once<readonly string[]>((folder) =>
    folder === '' ? files : files.slice(placeOf(files, `${folder}/`), placeOf(files, `${folder}0`)),
  );
  const tree: Tree = {
    files,
    read,
    inside,
    has: (path) => known.has(path),
    holdsCode: once((folder) => inside(folder).some(isCode)),
    json: once((path) => new Json(parseJsonc(read(path) ?? '', [], { allowTrailingComma: true }))),
    importsOf: once((path) => readerOf.get(extensionOf(path))?.importsOf(tree, path) ?? []),
  };
  return tree;
}

/** Where a text stands in a sorted list, or would stand. */
function placeOf(sorted: readonly string[], text: string): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? '') < text) from = middle + 1;
    else to = middle;
  }
  return from;
}

function once<Answer>(ask: (path: string) => Answer): (path: string) => Answer {
  const known = new Map<string, Answer>();
  return (path) => {
    if (!known.has(path)) known.set(path, ask(path));
    return known.get(path) as Answer;
  };
}

/** Enough for the largest projects; what lies beyond it counts as not reached. */
const MOST_FOLLOWED = 20_000;

/** The files given and all that they import, through each other. */
export function reach(
  tree: Tree,
  from: Iterable<string>,
  isOpen: (path: string) => boolean = () => true,
): Set<string> {
  const reached = new Set(from);
  for (const path of reached) {
    if (reached.size >= MOST_FOLLOWED) break;
    for (const next of tree.importsOf(path)) if (isOpen(next)) reached.add(next);
  }
  return reached;
}

/** The same through the product alone: what only the judge's files import is not of it. */
export const reachProduct = (tree: Tree, from: Iterable<string>): Set<string> =>
  reach(tree, from, (path) => !isJudgeLike(path));

/** A path from a folder; null where it leads out of the tree. */
export function join(folder: string, path: string): string | null {
  const joined = posix.normalize(`${folder === '' ? '.' : folder}/${path}`).replace(/\/$/, '');
  if (joined.startsWith('../') || joined === '..' || path.startsWith('/')) return null;
  return joined === '.' ? '' : joined;
}

/** Folders that hold a manifest of this name and lie in no other of them, the topmost ones. */
export function topmostWith(tree: Tree, isManifest: (name: string) => boolean): string[] {
  const folders = [...new Set(tree.files.filter((file) => isManifest(nameOf(file))).map(folderOf))];
  const isBelow = (folder: string) =>
    folders.some((other) => other !== folder && (other === '' || folder.startsWith(`${other}/`)));
  const isProduct = (folder: string) => !isAside(folder) && !isJudgeLike(`${folder}/x.js`);
  return folders.filter((folder) => !isBelow(folder) && (folder === '' || isProduct(folder)));
}

/** The first of some files that the tree has. */
export const firstOf = (tree: Tree, paths: readonly (string | null)[]): string | undefined =>
  paths.find((path): path is string => path !== null && tree.has(path));

/** A value out of a manifest, whatever its author made of it. */
export class Json {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  at(...keys: readonly string[]): Json {
    let value = this.#value;
    for (const key of keys) {
      const isRecord = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
      value = isRecord ? (value as Record<string, unknown>)[key] : undefined;
    }
    return new Json(value);
  }

  /** Undefined where there is none. */
  get value(): unknown {
    return this.#value;
  }

  get text(): string | undefined {
    return typeof this.#value === 'string' ? this.#value : undefined;
  }

  /** A single text counts as a list of one. */
  get texts(): string[] {
    const values = Array.isArray(this.#value) ? this.#value : [this.#value];
    return values.filter((value) => typeof value === 'string');
  }

  get items(): Json[] {
    return Array.isArray(this.#value) ? this.#value.map((value) => new Json(value)) : [];
  }

  get entries(): [string, Json][] {
    const isRecord = typeof this.#value === 'object' && this.#value !== null;
    return isRecord ? Object.entries(this.#value).map(([key, one]) => [key, new Json(one)]) : [];
  }

  /** Every text in it, however deep. */
  get leaves(): string[] {
    return this.text === undefined ? this.entries.flatMap(([, one]) => one.leaves) : [this.text];
  }
}

/** Nothing in it where the text is no JSON. */
export function jsonIn(text: string | null): Json {
  try {
    return new Json(JSON.parse(text ?? ''));
  } catch {
    return new Json(undefined);
  }
}

export const jsonOf = (tree: Tree, path: string | null): Json => tree.json(path ?? '');

export function tomlOf(tree: Tree, path: string | null): Json {
  try {
    return new Json(parseToml(textOf(tree, path)));
  } catch {
    return new Json(undefined);
  }
}

export const textOf = (tree: Tree, path: string | null): string =>
  (path === null ? null : tree.read(path)) ?? '';
