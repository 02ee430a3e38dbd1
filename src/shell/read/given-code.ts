import { launchedBy } from './launched-code.ts';
import type { Redirect } from './script.ts';

export interface SegmentWord {
  readonly text: string;
  /** False where the shell decides at run time. */
  readonly isFixed: boolean;
}

export const programOf = (word: SegmentWord | undefined): string =>
  (word?.text ?? '').replace(/^.*\//, '');

const shells = /^(ba|da|z|k|a|fi|c|tc)?sh$/;

export const isShell = (word: SegmentWord | undefined): boolean => shells.test(programOf(word));

export const interpreters = /^(python[\d.]*|pypy3?|node|deno|bun|tsx|ts-node|ruby|perl|php)$/;

export const takesCode = /^-[A-Za-z]*c[A-Za-z]*$|^--command$/;

/** Each of their words may be a command line of its own. */
const readsWords =
  /^(ssh|mosh|watch|parallel|sem|entr|tmux|screen|concurrently|hyperfine|nodemon|onchange|unbuffer)$/;
/** Shells of another user or place; those that run other things have a flag for a command line. */
const users = /^(su|runuser|sg)$/;
const runners = /^(flock|script|npx|npm|pnpm|pnpx|bunx|nix-shell|systemd-run)$/;
const lineFlag = /^(-[A-Za-z]*c|--(command|call|run))$/;
const joinedFlag = /^--(?:command|call|run)=(.*)$/s;

/** The command lines that these words give their program to run; null = one of them can't be read. */
export function codeGiven(
  words: readonly SegmentWord[],
  given: readonly Redirect[],
): readonly string[] | null {
  const name = programOf(words[0]);
  const args = words.slice(1);
  if (name === 'eval') return [args.map(({ text }) => text).join(' ')];
  if (name === 'source' || name === '.') return isFed(args) ? null : [];
  if (isShell(words[0]) || users.test(name)) return codeOfShell(words, given);
  if (readsWords.test(name)) return textsOf(args.filter(({ text }) => /[\s;|&]/.test(text)));
  if (runners.test(name)) return textsOf(flagged(args));
  if (interpreters.test(name)) return launchedBy(args, given);
  if (name === 'env') return splitByEnv(args);
  return name === 'git' ? codeOfGit(args) : [];
}

const textsOf = (words: readonly SegmentWord[]): string[] => words.map(({ text }) => text);

/** Read from a process or a pipe, which nobody sees before it runs. */
const isFed = (args: readonly SegmentWord[]): boolean =>
  args.some(({ text }) => /[<]\(|^\/dev\/(stdin|fd\/)/.test(text));

function codeOfShell(
  words: readonly SegmentWord[],
  given: readonly Redirect[],
): readonly string[] | null {
  const scripts: string[] = [];
  const code = codeIn(words);
  if (code?.isFixed === false && /^[$`]/.test(code.text)) return null;
  if (code !== undefined) scripts.push(code.text);
  else if (words.slice(1).some(({ isFixed }) => !isFixed)) return null;
  for (const { operator, target } of given) {
    if (operator === '<' && !target.isFixed) return null;
    if (operator.startsWith('<<')) scripts.push(target.text);
  }
  return scripts;
}

/** The first word behind `-c` that is no option, nor the name of one. */
function codeIn(words: readonly SegmentWord[]): SegmentWord | undefined {
  const at = words.findIndex(({ text }) => takesCode.test(text));
  if (at < 0) return undefined;
  return words.find(({ text }, index) => {
    const isNamed = /^[-+][A-Za-z]*o$/.test(words[index - 1]?.text ?? '');
    return index > at && !isNamed && !/^[-+]/.test(text);
  });
}

const flagged = (args: readonly SegmentWord[]): SegmentWord[] =>
  args.flatMap((word, index) => {
    const joined = joinedFlag.exec(word.text)?.[1];
    if (joined !== undefined) return [{ ...word, text: joined }];
    return lineFlag.test(args[index - 1]?.text ?? '') ? [word] : [];
  });

/** `env -S 'rm -rf' src`: the string is split into words, and what follows is added. */
function splitByEnv(args: readonly SegmentWord[]): string[] {
  const flag = /^(?:-[a-z]*S|--split-string(?:=|$))/;
  const at = args.findIndex(({ text }) => flag.test(text));
  if (at < 0) return [];
  const own = args[at]?.text.replace(flag, '') ?? '';
  const rest = args.slice(own === '' ? at + 2 : at + 1);
  const line = own === '' ? (args[at + 1]?.text ?? '') : own;
  return [[line, ...rest.map(spelled)].join(' ')];
}

const settings =
  /^(?:alias\.[^=]+|core\.(?:pager|editor|sshcommand|askpass|fsmonitor)|sequence\.editor|pager\.[^=]+|diff\.(?:external|[^=]+\.(?:command|textconv))|credential\.helper|filter\.[^=]+\.(?:clean|smudge|process)|merge\.[^=]+\.driver)=!?(.*)$/is;

/** Aliases and programs that `-c` sets, and what git runs for every commit or submodule. */
function codeOfGit(args: readonly SegmentWord[]): string[] {
  const set = args.flatMap(({ text }, index) => {
    const code = settings.exec(text);
    if (args[index - 1]?.text !== '-c' || code === null) return [];
    // Without its mark an alias is a verb of git's own.
    const isVerb = /^alias\.[^=]+=[^!]/i.test(text);
    return [isVerb ? `git ${code[1]}` : (code[1] ?? '')];
  });
  const executed = args.flatMap(({ text }, index) => {
    const joined = /^(?:--exec=|-x(?=.))(.*)$/s.exec(text)?.[1];
    const isNamed = /^(-x|--exec)$/.test(args[index - 1]?.text ?? '');
    return joined === undefined ? (isNamed ? [text] : []) : [joined];
  });
  const isRebase = args.some(({ text }) => text === 'rebase');
  return [
    ...set,
    ...(isRebase ? executed : []),
    ...behind(args, 'foreach'),
    ...behind(args, 'run'),
  ];
}

/** `git submodule foreach …` and `git bisect run …`: one word is a line, several are its words. */
function behind(args: readonly SegmentWord[], verb: string): string[] {
  const owner = verb === 'run' ? 'bisect' : 'submodule';
  const at = args.findIndex(({ text }, index) => text === verb && args[index - 1]?.text === owner);
  if (at < 0) return [];
  const rest = args.slice(at + 1);
  const own = rest.slice(rest.findIndex(({ text }) => !text.startsWith('-')));
  return own.length === 1 ? textsOf(own) : [own.map(spelled).join(' ')];
}

const spelled = ({ text, isFixed }: SegmentWord): string =>
  !isFixed || /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
