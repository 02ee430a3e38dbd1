import { isOpen, UNKNOWN } from '../../schema/glob-overlap.ts';
import { enterFolder } from '../shell/read/folder.ts';
import type { Segment } from '../shell/read/segments.ts';
import type { JudgedCall } from './judged-call.ts';
import { mayMeanPath, meansPath } from './means-path.ts';
import { folderIn, pathsIn } from './word-paths.ts';

/** A line that goes through more folders, or names more paths, than this may mean any of them. */
const MOST_FOLDERS = 64;
const MOST_PATHS = 10_000;
/** So deep a path below a folder that only the shell knows may be any. */
const MOST_DEPTH = 50;

type Place = Pick<JudgedCall, 'folders' | 'workspace' | 'resolved'>;

/**
 * The paths that a command may touch, wherever on its line it runs: relative to the workspace where
 * they lie inside. Null = any.
 */
export function pathsNamed(
  { typed, named, beside, entered }: Segment,
  call: Place,
): ReadonlySet<string> | null {
  const places = placesOf(call, entered);
  if (places === null) return null;
  const [program, ...args] = typed;
  const words = program?.text.includes('/') ? typed : args;
  const paths = new Set(places);
  for (const word of [...words, ...named, ...beside]) {
    const found = pathsIn(word);
    if (found === null) return null;
    for (const path of found) {
      for (const place of places) paths.add(joined(place, path, call.workspace));
    }
    if (paths.size > MOST_PATHS) return null;
  }
  return paths;
}

/** Every folder that the line may be in, whichever of its changes of folder took place before. */
function placesOf(
  { folders = [''], workspace }: Place,
  entered: Segment['entered'],
): readonly string[] | null {
  const places = new Set(folders.map((folder) => joined('', folder, workspace)));
  for (const word of entered) {
    const into = folderIn(word);
    if (into === null) return null;
    for (const place of [...places]) {
      for (const one of into) places.add(joined(place, one, workspace));
    }
    if (places.size > MOST_FOLDERS) return null;
  }
  return [...places];
}

function joined(place: string, path: string, workspace: string | undefined): string {
  if (path.startsWith(UNKNOWN)) return path;
  if (path.startsWith('~')) return path.replace(/^[^/]*/, UNKNOWN);
  const isBelow = place.startsWith(UNKNOWN) && !path.startsWith('/');
  if (isBelow) return `${place}/${path}`;
  const known = enterFolder(place, path, workspace) ?? UNKNOWN;
  if (workspace === undefined || !known.startsWith('..')) return known;
  // It may come back in by the name of the workspace.
  return enterFolder('', enterFolder(workspace, known) ?? known, workspace) ?? UNKNOWN;
}

/** May a glob of the workspace mean one of these paths, or what lies in it? */
export const touchesAny = (glob: string, paths: ReadonlySet<string> | null, call: Place): boolean =>
  paths === null || [...paths].some((path) => isMeant(glob, path, call));

function isMeant(glob: string, path: string, call: Place): boolean {
  if (!path.startsWith(UNKNOWN) && coversAny(glob, path, call)) return true;
  // What lies below a folder that nobody knows is told by the end of its path.
  if (!/^(\uE001|\/proc\/)/.test(path)) return false;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const known = parts.slice(Math.max(1, parts.lastIndexOf('..') + 1));
  if (known.length > MOST_DEPTH) return true;
  const ends = known.map((_, index) => known.slice(index).join('/'));
  return ends.flatMap((end) => [end, `/${end}`]).some((end) => coversAny(glob, end, call));
}

/** A command that names a folder may touch everything in it. */
function coversAny(glob: string, path: string, { workspace, resolved }: Place): boolean {
  if (path === '') return false;
  const means = isOpen(path) ? mayMeanPath : meansPath;
  const covers = (one: string) =>
    [one, `${one}/.`, `${one}/.-`].some((each) => means(glob, each, workspace));
  if (covers(path)) return true;
  const behind = isOpen(path) ? null : (resolved?.(path) ?? null);
  return behind !== null && behind !== path && covers(behind);
}
