import { braceExpand, Minimatch, type MinimatchOptions } from 'minimatch';
import { inFormat, textSchema } from './text.ts';

/** Most characters of a glob, and most alternatives of its braces. */
const MOST_CHARACTERS = 300;
const MOST_ALTERNATIVES = 256;
const MOST_EXPANDED = 1024;
const MOST_REMEMBERED = 1000;

/** A pattern that a rule of policy, a criterion or the service's own lists match paths with. */
export const pathGlobSchema = textSchema(MOST_CHARACTERS).check(inFormat('path-glob', pathProblem));

/** A command whose words may be globs. */
export const commandGlobSchema = textSchema(MOST_CHARACTERS).check(
  inFormat('command-glob', commandProblem),
);

export const wordsOf = (line: string): string[] => line.trim().split(/\s+/);

/** True for a valid glob; stored ones may predate the schema that refuses invalid ones. */
export const isPathGlob = remembered((glob) => pathProblem(glob) === null);
export const isCommandGlob = remembered((line) => commandProblem(line) === null);

/** True when a path has glob characters; otherwise it is a plain name. */
export const hasMagic = (path: string): boolean => /[*?{}[\]()!\\]/.test(path);

/** `*` and `?` mean any characters: for names and words of commands. */
export const matchesWord = (glob: string, text: string): boolean => ofWords(glob)(text);

/** `*` stays within a folder, `**` crosses them; a folder's glob covers what is in it. */
export const matchesPath = (glob: string, path: string): boolean => ofFolders(glob)(path);

/** Matches the path that the glob names, without the content of a folder. */
export const matchesWhole = (glob: string, path: string): boolean => ofPaths(glob)(path);

/** Why a glob for paths is refused; null where it is fine. */
export function pathProblem(glob: string): string | null {
  const bare = bareOf(glob);
  if (['', '.'].includes(bare)) return 'a glob names what lies in the workspace; ** is all of it';
  if (/^!(?!\()/.test(bare)) return 'a glob is not turned round by a leading !; escape it as \\!';
  if (/^(~[\w.-]*|\$\w+)(\/|$)/.test(bare)) {
    return 'neither ~ nor a variable is filled in: write the absolute path, or escape it as \\~';
  }
  return syntaxProblem(bare) ?? segmentProblem(bare);
}

/** Why a pattern for commands is refused, such as one that none can match; null where it is fine. */
export function commandProblem(line: string): string | null {
  if (/(?! )[\p{Z}\p{Cc}]/u.test(line)) return 'the words of a command are parted by plain spaces';
  const words = wordsOf(line);
  return (
    first(words.map((word) => syntaxProblem(word) ?? shellProblem(word))) ?? programProblem(words)
  );
}

/** Rules are asked about each simple command, whose words have no quotes any more. */
function shellProblem(word: string): string | null {
  const signs = without(/[?*+@!]\([^()]*\)/g, signsOf(word));
  if (/[|&;<>()]/.test(signs)) {
    return 'a pattern is one command: write a rule for each; escape a sign of a word, as in \\;';
  }
  if (/['"`]/.test(signs)) return 'words are compared without quotes; escape one of a word as \\"';
  return signs.startsWith('#') ? 'a comment is never run; escape it as \\#' : null;
}

/** Words of the shell's grammar, which never are a program. */
const RESERVED =
  /^(!|\[\[|\]\]|case|coproc|do|done|elif|else|esac|fi|for|function|if|in|select|then|until|while)$/;

function programProblem([program = '']: readonly string[]): string | null {
  if (RESERVED.test(program)) return `a pattern begins with a program, and ${program} is none`;
  if (!/^[A-Za-z_]\w*\+?=/.test(program)) return null;
  return 'a pattern begins with the program: variables that are set for it are no part of it';
}

/** A pattern that a library would read as something else than it looks like, or not at all. */
function syntaxProblem(glob: string): string | null {
  if (/[\0\p{Surrogate}]/u.test(glob)) return 'no name holds NUL or half of a character';
  const escaped = glob.replace(ESCAPE, '');
  if (escaped.includes('\\')) return 'a backslash stands before a sign with a meaning, as in \\{';
  const classes = escaped.match(CLASS) ?? [];
  if (classes.some(isBackwards)) return 'a range in brackets goes upwards, as in [a-z]';
  const signs = signsOf(glob);
  if (/[[\]]/.test(signs)) return 'a bracket has no other end; escape it as \\[';
  if (/\([^)]*[{}]/.test(signs)) return 'braces do not stand within parentheses';
  if (/\$\{/.test(signs)) return 'a variable is not filled in; escape it as \\$\\{';
  if (!isClosed(signs)) return 'a parenthesis has no other end';
  if (/[{}]/.test(without(/\{[^{}]*\}/g, signs))) return 'a brace has no other end';
  const meant = alternatives(glob);
  if (meant.length > MOST_ALTERNATIVES) {
    return `braces stand for ${MOST_ALTERNATIVES} globs at most`;
  }
  // As one word they are what find fills in.
  const isRead = glob === '{}' || !alternatives(glob.replace(ESCAPE, '')).some(hasBraces);
  return isRead ? null : 'braces hold alternatives, as in {a,b}; escape one as \\{';
}

const hasBraces = (glob: string): boolean => /[{}]/.test(signsOf(glob));

const CLASS =
  /\[[!^]?\]?(?:\[:(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]|[^\][/\\{},])*\]/g;

const ESCAPE = /\\[^A-Za-z0-9/]/g;

/** The glob without escapes and character classes. */
const signsOf = (glob: string): string => glob.replace(ESCAPE, '').replace(CLASS, '');

const isClosed = (signs: string): boolean => !/[()]/.test(without(/\([^()]*\)/g, signs));

const isBackwards = (brackets: string): boolean =>
  [...brackets.matchAll(/(?=([^[])-([^\]]))/gu)].some(([, from = '', to = '']) => from > to);

/** Parts of a path that no name can have. */
function segmentProblem(glob: string): string | null {
  for (const one of alternatives(glob)) {
    const segments = one.replace(/^(\.\.\/)+/, '').split('/');
    if (segments.some((part) => part.includes('**') && part !== '**')) {
      return 'two stars stand alone between slashes, as in **/*.pem';
    }
    if (!segments.map(signsOf).every(isClosed)) return 'a parenthesis holds no slash';
    if (segments.some((part) => part === '.' || part === '..')) {
      return 'a glob goes upwards only where it begins';
    }
  }
  return null;
}

function without(pattern: RegExp, text: string): string {
  const less = text.replace(pattern, '');
  return less === text ? text : without(pattern, less);
}

const first = (problems: readonly (string | null)[]): string | null =>
  problems.find((problem) => problem !== null) ?? null;

const OPTIONS: MinimatchOptions = {
  nobrace: true,
  dot: true,
  nocomment: true,
  nonegate: true,
  optimizationLevel: 0,
  platform: 'linux',
};

const ofWords = remembered((glob) => matcher([glob], asWord));
const ofPaths = remembered((glob) => matcher([bareOf(glob)], withPlainDots));
const ofFolders = remembered((glob) =>
  matcher([bareOf(glob), `${bareOf(glob)}/**`], withPlainDots),
);

/** Brackets are also names of files, such as `[id].tsx`: both readings count. */
function matcher(
  globs: readonly string[],
  plain: (text: string) => string,
): (text: string) => boolean {
  const read = new Set([...globs, ...globs.map(withLiteralBrackets)].flatMap(alternatives));
  // Two ways of storing an accent look the same.
  const asRead = (text: string) => plain(text.normalize('NFC'));
  const matchers = [...read].map((one) => new Minimatch(asRead(one), OPTIONS));
  return (text) => {
    const asked = asRead(text);
    return matchers.some((one) => one.match(asked));
  };
}

const withLiteralBrackets = (glob: string): string =>
  glob.replace(/\\.|[[\]]/gs, (found) => (found.length > 1 ? found : `\\${found}`));

/** The globs that one with braces stands for; too many are cut off. */
export const alternatives = (glob: string): string[] =>
  braceExpand(glob, { braceExpandMax: MOST_EXPANDED });

/** A glob that means this path only, whatever signs are in it; null where no glob can. */
export function literalGlob(path: string): string | null {
  const glob = path.replace(/[^A-Za-z0-9/._\-@~\u0080-\uFFFF]/g, '\\$&');
  const { data } = pathGlobSchema.safeParse(glob);
  return data === glob ? glob : null;
}

/** Caches answers: the same rules are evaluated for every call and every listed file. */
function remembered<Answer>(ask: (glob: string) => Answer): (glob: string) => Answer {
  const known = new Map<string, Answer>();
  return (glob) => {
    const before = known.get(glob);
    if (before !== undefined) return before;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const answer = ask(glob);
    known.set(glob, answer);
    return answer;
  };
}

export const bareOf = (glob: string): string =>
  glob.replace(/^(\.\/+)+/, '').replace(/(?<!\\)\/+$/, '');

/** In words a slash is like any other character, and so is a leading dot. */
const asWord = (text: string): string => `=${text.replaceAll('/', '\0')}`;

/** `..` and `.` are matched like names, so that paths outside of the workspace match too. */
const withPlainDots = (path: string): string =>
  (path === '' ? '.' : path).replace(/(?<=^|\/)\.\.?(?=\/|$)/g, (dots) =>
    '\uE000'.repeat(dots.length),
  );
