import { createHash } from 'node:crypto';
import { type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import ignore, { type Ignore } from 'ignore';
import { TEMP_FILE } from './effects/write-file.ts';
import { MARKER_FILE } from './paths.ts';

export interface FileStamp {
  readonly ctimeMs: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Path relative to the workspace → what the kernel says of it. */
export type Fingerprint = ReadonlyMap<string, FileStamp>;

const MAX_FILES = 200_000;
/** The event loop gets its turn at least this often. */
const SLICE_MS = 10;
/** The kernel's clock for ctime moves in steps of up to 10 ms. */
const CLOCK_STEP_MS = 12;

interface Rules {
  /** Folder with a trailing slash, or empty. */
  readonly base: string;
  readonly matcher: Ignore;
}

interface Folder {
  readonly path: string;
  /** From the workspace down: the last one that has an opinion decides. */
  readonly rules: readonly Rules[];
}

/**
 * Stamps of all files that git doesn't ignore. Synchronous calls in short slices: several times
 * faster than a promise a file.
 */
export async function takeFingerprint(workspace: string): Promise<Fingerprint> {
  const files = new Map<string, FileStamp>();
  const folders: Folder[] = [{ path: '', rules: [] }];
  let sliceEnd = performance.now() + SLICE_MS;
  for (let folder = folders.pop(); folder && files.size < MAX_FILES; folder = folders.pop()) {
    visit(workspace, folder, files, folders);
    if (performance.now() < sliceEnd) continue;
    await new Promise(setImmediate);
    sliceEnd = performance.now() + SLICE_MS;
  }
  await settleClock(files);
  return files;
}

/** Paths that came, went or changed, sorted. */
export function diffFingerprints(before: Fingerprint, after: Fingerprint): string[] {
  const changed = [...after].filter(([path, stamp]) => !isSame(before.get(path), stamp));
  const gone = [...before.keys()].filter((path) => !after.has(path));
  return [...changed.map(([path]) => path), ...gone].sort();
}

export function fingerprintDigest(fingerprint: Fingerprint): string {
  const hash = createHash('sha256');
  for (const path of [...fingerprint.keys()].sort()) {
    const stamp = fingerprint.get(path);
    hash.update(`${path}\0${stamp?.ctimeMs}\0${stamp?.ino}\0${stamp?.size}\0${stamp?.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function visit(
  workspace: string,
  folder: Folder,
  files: Map<string, FileStamp>,
  folders: Folder[],
): void {
  const entries = entriesOf(join(workspace, folder.path));
  const rules = withOwnRules(workspace, folder, entries);
  for (const entry of entries) {
    const path = folder.path + entry.name;
    const isFolder = entry.isDirectory();
    if (isLeftOut(entry.name) || isIgnored(rules, isFolder ? `${path}/` : path)) continue;
    if (isFolder) folders.push({ path: `${path}/`, rules });
    else stamp(workspace, path, files);
  }
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // It went away, or may not be read: then it can't have been read before either.
    return [];
  }
}

function withOwnRules(workspace: string, folder: Folder, entries: readonly Dirent[]) {
  if (!entries.some((entry) => entry.name === '.gitignore' && entry.isFile())) return folder.rules;
  try {
    const text = readFileSync(join(workspace, folder.path, '.gitignore'), 'utf8');
    return [...folder.rules, { base: folder.path, matcher: ignore().add(text) }];
  } catch {
    return folder.rules;
  }
}

function isLeftOut(name: string): boolean {
  return name === '.git' || name === 'node_modules' || name === MARKER_FILE || TEMP_FILE.test(name);
}

function isIgnored(rules: readonly Rules[], path: string): boolean {
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const { base, matcher } = rules[index] as Rules;
    const { ignored, unignored } = matcher.test(path.slice(base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

function stamp(workspace: string, path: string, files: Map<string, FileStamp>): void {
  const stats = lstatSync(join(workspace, path), { throwIfNoEntry: false });
  if (stats === undefined) return;
  const { ctimeMs, ino, size, mtimeMs } = stats;
  files.set(path, { ctimeMs, ino, size, mtimeMs });
}

/** A change of the same length within the clock's step would go unseen: let the step pass. */
async function settleClock(files: Fingerprint): Promise<void> {
  let newest = 0;
  for (const { ctimeMs } of files.values()) newest = Math.max(newest, ctimeMs);
  const age = Date.now() - newest;
  if (age >= 0 && age < CLOCK_STEP_MS) await sleep(CLOCK_STEP_MS - age);
}

function isSame(before: FileStamp | undefined, after: FileStamp): boolean {
  return (
    before !== undefined &&
    before.ctimeMs === after.ctimeMs &&
    before.ino === after.ino &&
    before.size === after.size &&
    before.mtimeMs === after.mtimeMs
  );
}
