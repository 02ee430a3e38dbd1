const LONGEST = 400;
/** Of file systems, bytes. */
const LONGEST_NAME = 255;

/** Why a sealed file can't have this path, or null. */
export function pathProblem(path: string): string | null {
  if (path === '' || path.length > LONGEST) return `is empty or longer than ${LONGEST} characters`;
  if (/[\p{Cc}\uFFFD\\]/u.test(path)) return 'holds a backslash or characters that are no text';
  if (/^(?:\/|~|[A-Za-z]:)/.test(path)) return 'is absolute';
  const segments = path.split('/');
  if (segments.some((one) => one === '..')) return 'leads out of the workspace';
  if (segments.some((one) => one === '' || one === '.')) return 'has an empty part';
  if (segments.some((one) => Buffer.byteLength(one) > LONGEST_NAME)) return 'has too long a name';
  if (segments.some((one) => /^(?:\.git|node_modules)$/i.test(one))) {
    return 'lies in .git or node_modules, which no proof run takes from here';
  }
  return null;
}

/** A path that is there twice, or is a file and a folder at once; null = there is none. */
export function doublePath(paths: readonly string[]): string | null {
  const files = new Set<string>();
  for (const path of paths) {
    if (files.has(path)) return path;
    files.add(path);
  }
  return paths.find((path) => foldersAbove(path).some((folder) => files.has(folder))) ?? null;
}

function foldersAbove(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** The tree with the sealed files, which win over all that has their names or is in their way. */
export function withSealedFiles<Entry>(
  entries: ReadonlyMap<string, Entry>,
  sealed: ReadonlyMap<string, Entry>,
): ReadonlyMap<string, Entry> {
  const above = new Set([...sealed.keys()].flatMap(foldersAbove));
  const isInTheWay = (path: string) =>
    sealed.has(path) || above.has(path) || foldersAbove(path).some((folder) => sealed.has(folder));
  return new Map([...[...entries].filter(([path]) => !isInTheWay(path)), ...sealed]);
}
