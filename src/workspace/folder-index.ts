import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statsOf } from '../process/stats-of.ts';
import { TEMP_FILE } from './helper/write-file.ts';
import { type IgnoreRules, isIgnored, readRules, rulesWithin } from './ignore-rules.ts';
import { MARKER_FILE } from './paths.ts';

export interface FolderEntry {
  /** Relative to the workspace; of a folder with a trailing slash. */
  readonly path: string;
  readonly isFolder: boolean;
}

export interface Listing {
  readonly entries: readonly FolderEntry[];
  /** Temp files of the host's own writes, relative to the workspace. */
  readonly temps: readonly string[];
  readonly rules: IgnoreRules | null;
  /** The folder could not be read, so its entries are unknown. */
  readonly isUnread: boolean;
}

interface Known {
  readonly stamp: string;
  readonly names: readonly Dirent[];
  readonly rulesAbove: IgnoreRules | null;
  readonly listing: Listing;
}

/** A folder that changed so recently may change again without its times showing it. */
const SETTLED_MS = 50;
const MOST_WORKSPACES = 64;

/**
 * An index of the folders of one workspace: the entries each held when it was last read, and which
 * of them git ignores. A folder's own times tell whether names came or went, so an unchanged
 * folder costs a single stat. The caller checks the files themselves.
 */
export class FolderIndex {
  readonly #workspace: string;
  readonly #known = new Map<string, Known>();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  list(folder: string, rulesAbove: IgnoreRules | null): Listing {
    const absolute = join(this.#workspace, folder);
    const before = stampOf(absolute);
    const known = this.#known.get(folder);
    const isSame = known !== undefined && before !== null && known.stamp === before.text;
    const read = isSame ? known.names : namesIn(absolute);
    const names = read ?? [];
    const above = rulesWithin(rulesAbove, folder);
    const rules = this.#rulesOf(folder, names, above, known?.listing.rules ?? null);
    if (isSame && known.rulesAbove === rulesAbove && known.listing.rules === rules) {
      return known.listing;
    }
    const temps = names.filter(({ name }) => TEMP_FILE.test(name)).map(({ name }) => folder + name);
    const isUnread = read === null;
    const listing = { entries: visible(folder, names, rules), temps, rules, isUnread };
    if (!isUnread && before !== null && Date.now() - before.changedMs > SETTLED_MS) {
      this.#known.set(folder, { stamp: before.text, names, rulesAbove, listing });
    } else this.#known.delete(folder);
    return listing;
  }

  /** The same object as before where the rules are the same ones. */
  #rulesOf(
    folder: string,
    names: readonly Dirent[],
    above: IgnoreRules | null,
    known: IgnoreRules | null,
  ): IgnoreRules | null {
    if (!names.some((entry) => entry.name === '.gitignore' && entry.isFile())) return above;
    const path = join(this.#workspace, folder, '.gitignore');
    const stamp = stampOf(path);
    if (stamp === null) return above;
    if (known?.above === above && known.base === folder && known.stamp === stamp.text) return known;
    return readRules(readText(path), { above, base: folder, stamp: stamp.text });
  }
}

const indexes = new Map<string, FolderIndex>();

/** The host's own memory of a workspace: nothing in the workspace can change or switch it off. */
export function folderIndexOf(workspace: string): FolderIndex {
  const known = indexes.get(workspace);
  if (known !== undefined) return known;
  if (indexes.size >= MOST_WORKSPACES) indexes.clear();
  const fresh = new FolderIndex(workspace);
  indexes.set(workspace, fresh);
  return fresh;
}

function visible(
  folder: string,
  names: readonly Dirent[],
  rules: IgnoreRules | null,
): FolderEntry[] {
  return names
    .filter(({ name }) => !isLeftOut(name))
    .map((entry) => {
      const isFolder = entry.isDirectory();
      return { path: `${folder}${entry.name}${isFolder ? '/' : ''}`, isFolder };
    })
    .filter(({ path }) => !isIgnored(rules, path));
}

/** Names that are no part of a workspace, wherever they are in it. */
export function isLeftOut(name: string): boolean {
  return name === '.git' || name === 'node_modules' || name === MARKER_FILE || TEMP_FILE.test(name);
}

/** Null if the folder may not be read. */
function namesIn(path: string): Dirent[] | null {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return ['ENOENT', 'ENOTDIR'].includes(code) ? [] : null;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function stampOf(path: string): { text: string; changedMs: number } | null {
  const stats = statsOf(path);
  if (stats === undefined) return null;
  const { ctimeMs, mtimeMs, ino, size } = stats;
  return { text: `${ino} ${ctimeMs} ${mtimeMs} ${size}`, changedMs: Math.max(ctimeMs, mtimeMs) };
}
