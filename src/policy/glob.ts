/** `*` and `?` as any characters: for names and words of commands. */
export function matchesWord(glob: string, text: string): boolean {
  return regexOf(glob, '.*', '.').test(text);
}

/** As paths are matched: `*` within a folder, `**` across them; a folder's glob covers what is in it. */
export function matchesPath(glob: string, path: string): boolean {
  const bare = glob.replace(/^(\.\/)+/, '').replace(/\/+$/, '');
  const inside = bare.endsWith('**') ? bare : `${bare}/**`;
  return [bare, inside].some((one) => pathRegex(one).test(path));
}

function regexOf(glob: string, many: string, one: string): RegExp {
  const source = [...glob]
    .map((letter) => (letter === '*' ? many : letter === '?' ? one : escaped(letter)))
    .join('');
  return new RegExp(`^${source}$`, 's');
}

function pathRegex(glob: string): RegExp {
  const source = glob
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => PATH_PARTS[part] ?? escaped(part))
    .join('');
  return new RegExp(`^${source}$`, 's');
}

const PATH_PARTS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
