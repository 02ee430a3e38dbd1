import type { Node } from 'web-tree-sitter';
import type { Assignment, ParseShell, Script, Step, Word } from './script.ts';

/** The part of the surrounding statements that the words of a command need. */
export interface WordContext {
  readonly parse: ParseShell;
  readonly toSteps: (nodes: readonly (Node | null)[]) => readonly Step[];
}

interface Piece {
  readonly text: string;
  /** What stands without quotes; a sign of its own stands for each part that is quoted. */
  readonly naked: string;
  readonly isFixed: boolean;
  readonly slashed: string;
}

export function toWord(node: Node, reading: WordContext): Word {
  const { text, isFixed, slashed } = pieceOf(node);
  return { text, isFixed, slashed, substitutions: substitutionsIn(node, reading) };
}

/** The grammar parts a word where its line goes on behind a backslash; the shell does not. */
export function readWords(command: Node, nodes: readonly Node[], reading: WordContext): Word[] {
  const words = nodes.map((node) => toWord(node, reading));
  const { text, startIndex } = command;
  if (!text.includes('\\\n')) return words;
  const isPart = nodes.map((node, index) => {
    const before = nodes[index - 1];
    if (before === undefined) return false;
    return /^(\\\n)+$/.test(text.slice(before.endIndex - startIndex, node.startIndex - startIndex));
  });
  return words.flatMap((_, index) => {
    if (isPart[index]) return [];
    const end = isPart.indexOf(false, index + 1);
    return [joinWords(words.slice(index, end < 0 ? undefined : end))];
  });
}

const joinWords = (words: readonly Word[]): Word => ({
  text: words.map(({ text }) => text).join(''),
  isFixed: words.every(({ isFixed }) => isFixed),
  slashed: words.map(({ slashed }) => slashed).join(''),
  substitutions: words.flatMap(({ substitutions }) => substitutions),
});

function pieceOf(node: Node): Piece {
  switch (node.type) {
    case 'command_name':
    case 'concatenation':
      return joined(node.children.flatMap((child) => (child ? [pieceOf(child)] : [])));
    case 'raw_string':
      return fixed(node.text.slice(1, -1));
    case 'ansi_c_string':
      return escaped(node.text.slice(2, -1));
    case 'string':
      return quoted(node);
    case 'word':
    case 'number':
    case 'extglob_pattern':
      return bare(node.text);
    default:
      // Punctuation and test operators are themselves; all else is known only at run time.
      return { text: node.text, naked: node.text, isFixed: isPlain(node), slashed: node.text };
  }
}

const plain = new Set(['variable_name', 'test_operator', 'regex', 'special_variable_name']);

function isPlain(node: Node): boolean {
  return !node.isNamed || plain.has(node.type);
}

/** Braces may begin in one part of a word and end in another. */
function joined(pieces: readonly Piece[]): Piece {
  const naked = pieces.map((piece) => piece.naked).join('');
  return {
    text: pieces.map((piece) => piece.text).join(''),
    naked,
    isFixed: pieces.every((piece) => piece.isFixed) && !BRACES.test(naked),
    slashed: pieces.map((piece) => piece.slashed).join(''),
  };
}

const BRACES = /\{[^}]*(,|\.\.)[^}]*\}/;
const QUOTED = '\uE000';

function fixed(text: string): Piece {
  return { text, naked: QUOTED, isFixed: true, slashed: text.replaceAll('\\', '/') };
}

const named: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const ESCAPED =
  /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))/gs;

/** Between `$'` and `'`. Bytes beyond ASCII may be parts of a character, which nobody puts together. */
function escaped(raw: string): Piece {
  let isFixed = true;
  const text = raw.replace(ESCAPED, (whole, byte, short, long, octal, control, sign) => {
    if (sign !== undefined) return named[sign] ?? (/[\\'"?]/.test(sign) ? sign : whole);
    const isByte = byte !== undefined || octal !== undefined;
    const code = Number.parseInt(
      byte ?? short ?? long ?? octal ?? '0',
      octal === undefined ? 16 : 8,
    );
    if (control !== undefined || code === 0 || code > (isByte ? 0x7f : 0x10ffff)) isFixed = false;
    return isFixed ? String.fromCodePoint(code) : whole;
  });
  return { text, naked: QUOTED, isFixed, slashed: text.replaceAll('\\', '/') };
}

/** Between double quotes a backslash quotes only these. */
function quoted(node: Node): Piece {
  const inner = node.text.slice(1, -1);
  const text = inner.replace(/\\(["\\$`])/g, '$1').replaceAll('\\\n', '');
  const isFixed = node.namedChildren.every((child) => child?.type === 'string_content');
  return { text, naked: QUOTED, isFixed, slashed: text.replaceAll('\\', '/') };
}

/** Unquoted: a backslash quotes the next character, `*?[{~` are patterns. */
function bare(raw: string): Piece {
  const unbroken = raw.replaceAll('\\\n', '');
  const naked = unbroken.replace(/\\./gs, QUOTED);
  return {
    text: unbroken.replace(/\\(.)/gs, '$1'),
    naked,
    isFixed: !/[*?[]|^~/.test(naked) && !BRACES.test(naked),
    slashed: unbroken.replace(/\\(?=[\w.])/g, '/').replace(/\\(.)/gs, '$1'),
  };
}

export function substitutionsIn(node: Node, reading: WordContext): Script[] {
  if (node.type === 'command_substitution' || node.type === 'process_substitution') {
    return [{ problem: null, steps: reading.toSteps(node.children) }];
  }
  return node.namedChildren.flatMap((child) => (child ? substitutionsIn(child, reading) : []));
}

export function toAssignment(node: Node, reading: WordContext): Assignment {
  const value = node.childForFieldName('value');
  const isAdded = node.children.some((child) => child?.type === '+=');
  const name = node.childForFieldName('name')?.text ?? '';
  const bare = value === null ? emptyWord : toWord(value, reading);
  // Also those of an index.
  const word = { ...bare, substitutions: substitutionsIn(node, reading) };
  return { name, value: isAdded ? { ...word, isFixed: false } : word };
}

const emptyWord: Word = { text: '', isFixed: true, slashed: '', substitutions: [] };

const shells = /^(.*\/)?(ba|da|z|k|a)?sh$/;
const takesCode = /^-[A-Za-z]*c[A-Za-z]*$/;

/** Reads the words that their command runs as a script: `bash -c …`, `eval …`, `trap …`. */
export function withScripts(words: readonly Word[], reading: WordContext): Word[] {
  const shell = words.findIndex(({ text }) => shells.test(text));
  return words.map((word, index) => {
    const isScript = word.isFixed && runsAsScript(words, index, shell);
    return isScript ? { ...word, script: reading.parse(word.text) } : word;
  });
}

/** @param shell where the command names a shell; below 0 = nowhere */
function runsAsScript(words: readonly Word[], index: number, shell: number): boolean {
  const [first] = words;
  const before = words[index - 1]?.text ?? '';
  if (first?.text === 'eval') return words.length === 2 && index === 1;
  if (first?.text === 'trap') return index === (words[1]?.text === '--' ? 2 : 1);
  return shell >= 0 && shell < index && takesCode.test(before);
}
