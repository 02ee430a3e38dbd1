/** Extensions of code. Those of one row go together: a folder of .ts may gain its first .tsx. */
const FAMILIES = [
  ['ts', 'tsx'],
  ['js', 'jsx'],
  ['mts'],
  ['cts'],
  ['mjs'],
  ['cjs'],
  ['vue'],
  ['svelte'],
  ['astro'],
  ['css'],
  ['scss', 'sass'],
  ['less'],
  ['py', 'pyi'],
  ['pyx', 'pxd'],
  ['go'],
  ['rs'],
  ['java'],
  ['kt'],
  ['scala'],
  ['groovy'],
  ['clj', 'cljs', 'cljc'],
  ['c', 'h'],
  ['cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx', 'inl', 'ipp', 'tpp'],
  ['m', 'mm'],
  ['s', 'S'],
  ['cs'],
  ['fs'],
  ['vb'],
  ['rb'],
  ['php'],
  ['pl', 'pm'],
  ['sh', 'bash', 'zsh'],
  ['swift'],
  ['ex'],
  ['erl', 'hrl'],
  ['hs'],
  ['ml', 'mli'],
  ['dart'],
  ['lua'],
  ['zig'],
  ['jl'],
  ['R', 'r'],
  ['ps1'],
] as const;

const familyOf = new Map<string, readonly string[]>(
  FAMILIES.flatMap((family) => family.map((extension) => [extension, family] as const)),
);

/** A file with its text. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Without the dot; empty where there is none. */
export function extensionOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1);
}

export const isCode = (path: string): boolean => familyOf.has(extensionOf(path));

/** Extensions of the languages that these files are in, as the table orders them. */
export function extensionsOf(files: readonly string[]): string[] {
  const present = new Set(files.map((file) => familyOf.get(extensionOf(file))));
  return FAMILIES.filter((family) => present.has(family)).flat();
}
