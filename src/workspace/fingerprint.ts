import { createHash } from 'node:crypto';
import { readdirSync, type Stats, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { statsOf } from '../process/stats-of.ts';
import { folderIndexOf } from './folder-index.ts';
import type { IgnoreRules } from './ignore-rules.ts';

export interface FileStamp {
  readonly ctimeMs: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Path relative to the workspace → the file's stamp from the kernel. */
export type Fingerprint = ReadonlyMap<string, FileStamp>;

const MAX_FILES = 200_000;
const LEFT_AFTER_MS = 10 * 60_000;
/** The event loop gets its turn at least this often. */
const SLICE_MS = 10;
/** The kernel's clock for ctime moves in steps of up to 10 ms. */
const CLOCK_STEP_MS = 12;

/** Stands where a name's bytes are no UTF-8, so that nothing of that name is found. */
const NO_TEXT = '\uFFFD';

interface FingerprintOptions {
  /** Rules that apply after those of the tree. */
  readonly rules?: IgnoreRules | null;
  /** Called with folders that may not be read, with a trailing slash. */
  readonly onUnread?: (folder: string) => void;
  /** Called with files and folders whose names are no text, as far as they can be said. */
  readonly onUnsayable?: (path: string) => void;
}

/**
 * Stamps of all files that git doesn't ignore, and of `watched` files even if git ignores them.
 * Synchronous calls in short slices are several times faster than a promise for each file.
 *
 * @param watched files or folders relative to the workspace; a folder stands for what lies in it
 */
export async function takeFingerprint(
  workspace: string,
  watched: readonly string[] = [],
  { rules: outermost = null, onUnread, onUnsayable }: FingerprintOptions = {},
): Promise<Fingerprint> {
  const index = folderIndexOf(workspace);
  const files = new Map<string, FileStamp>();
  const folders: { path: string; rules: IgnoreRules | null }[] = [{ path: '', rules: outermost }];
  let sliceEnd = performance.now() + SLICE_MS;
  for (let folder = folders.pop(); folder && files.size < MAX_FILES; folder = folders.pop()) {
    const { entries, temps, rules, isUnread } = index.list(folder.path, folder.rules);
    if (isUnread) onUnread?.(folder.path);
    for (const path of temps) removeIfLeft(join(workspace, path));
    for (const { path, isFolder } of entries) {
      const isSayable = !path.includes(NO_TEXT) || statsOf(join(workspace, path)) !== undefined;
      if (!isSayable) onUnsayable?.(path);
      else if (isFolder) folders.push({ path, rules });
      else setStamp(files, path, statsOf(join(workspace, path)));
    }
    if (performance.now() < sliceEnd) continue;
    await new Promise(setImmediate);
    sliceEnd = performance.now() + SLICE_MS;
  }
  for (const path of watched) stampWatched(workspace, path, files);
  await settleClock(files);
  return files;
}

/** A write takes milliseconds, so an older temp file was left by a worker that died. */
function removeIfLeft(temp: string): void {
  const stats = statsOf(temp);
  if (stats?.isFile() !== true || Date.now() - stats.mtimeMs < LEFT_AFTER_MS) return;
  try {
    unlinkSync(temp);
  } catch {
    // The next look tries again.
  }
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

/** A link's target is stamped too, because commands run or read the target. */
function stampWatched(workspace: string, path: string, files: Map<string, FileStamp>): void {
  const absolute = join(workspace, path);
  const stats = statsOf(absolute);
  if (stats === undefined) return;
  if (!stats.isDirectory()) setStamp(files, path, withTarget(absolute, stats));
  else stampInside(absolute, path, files);
}

function stampInside(absolute: string, path: string, files: Map<string, FileStamp>): void {
  for (const name of namesIn(absolute)) {
    const inside = statsOf(join(absolute, name));
    if (inside === undefined || inside.isDirectory()) continue;
    setStamp(files, `${path}/${name}`, withTarget(join(absolute, name), inside));
  }
}

function withTarget(absolute: string, link: Stats): FileStamp {
  if (!link.isSymbolicLink()) return link;
  const target = targetOf(absolute);
  if (target === undefined) return link;
  return {
    ctimeMs: Math.max(link.ctimeMs, target.ctimeMs),
    ino: link.ino + target.ino,
    size: target.size,
    mtimeMs: Math.max(link.mtimeMs, target.mtimeMs),
  };
}

function targetOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A link that leads in a circle.
    return undefined;
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function setStamp(files: Map<string, FileStamp>, path: string, stamp: FileStamp | undefined): void {
  if (stamp === undefined) return;
  const { ctimeMs, ino, size, mtimeMs } = stamp;
  files.set(path, { ctimeMs, ino, size, mtimeMs });
}

/** A same-length change within the clock's step would go unseen, so the step has to pass. */
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
