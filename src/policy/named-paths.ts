import { matchesPath } from '../../schema/glob.ts';
import { enterFolder, type Folder } from '../shell/read/folder.ts';
import type { Segment } from '../shell/read/segments.ts';
import type { JudgedCall } from './judged-call.ts';

/** A line that goes through more folders than this may mean any of them. */
const MOST_FOLDERS = 64;

/** May a command, wherever on its line it runs, touch what a glob of the workspace means? */
export function touchesPath(
  glob: string,
  { words, redirects, entered }: Segment,
  { folders = [''], workspace }: Pick<JudgedCall, 'folders' | 'workspace'>,
): boolean {
  const places = placesOf(folders, entered, workspace);
  if (places === null) return true;
  // A command that names a folder may touch everything in it.
  const isMeant = (path: Folder) =>
    path !== null &&
    path !== '' &&
    [path, `${path}/.`, `${path}/.-`].some((one) => matchesPath(glob, one));
  if (places.some(isMeant)) return true;
  const [program, ...args] = words.map(({ text }) => text);
  const named = [...(program?.includes('/') ? [program] : []), ...args, ...redirects];
  return named
    .flatMap(pathsIn)
    .some((path) => places.some((place) => isMeant(enterFolder(place, path, workspace))));
}

/** Every folder that the line may be in, whichever of its changes of folder took place before. */
function placesOf(
  folders: readonly string[],
  entered: readonly string[],
  workspace: string | undefined,
): readonly Folder[] | null {
  const places = new Set<Folder>(folders.map((folder) => enterFolder('', folder, workspace)));
  for (const into of entered) {
    for (const place of [...places]) places.add(enterFolder(place, into, workspace));
    if (places.size > MOST_FOLDERS) return null;
  }
  return [...places];
}

/** Also behind the sign of a flag, and behind a revision of git or the name of a host. */
function pathsIn(text: string): string[] {
  const [, value] = /^--?[\w-]+=(.*)$/s.exec(text) ?? [];
  const [, behind] = /^[^/]*:(.+)$/s.exec(text) ?? [];
  return [text, value, behind].filter((path) => path !== undefined && path !== '') as string[];
}
