import type { Node } from 'web-tree-sitter';
import type { Assignment, ParseShell, Script, Step, Word } from './script.ts';

/** The part of the surrounding statements that the words of a command need. */
export interface WordContext {
  readonly parse: ParseShell;
  readonly toSteps: (nodes: readonly (Node | null)[]) => readonly Step[];
}

interface Piece {
  readonly text: string;
  readonly isFixed: boolean;
  readonly slashed: string;
}

export function toWord(node: Node, reading: WordContext): Word {
  const piece = pieceOf(node);
  return { ...piece, substitutions: substitutionsIn(node, reading) };
}

function pieceOf(node: Node): Piece {
  switch (node.type) {
    case 'command_name':
    case 'concatenation':
      return join(node.children.flatMap((child) => (child ? [pieceOf(child)] : [])));
    case 'raw_string':
      return fixed(node.text.slice(1, -1));
    case 'ansi_c_string':
      return fixed(node.text.slice(2, -1));
    case 'string':
      return quoted(node);
    case 'word':
    case 'number':
    case 'extglob_pattern':
      return bare(node.text);
    default:
      // Punctuation and test operators are themselves; all else is known only at run time.
      return { text: node.text, isFixed: isPlain(node), slashed: node.text };
  }
}

const plain = new Set(['variable_name', 'test_operator', 'regex', 'special_variable_name']);

function isPlain(node: Node): boolean {
  return !node.isNamed || plain.has(node.type);
}

function join(pieces: readonly Piece[]): Piece {
  return {
    text: pieces.map((piece) => piece.text).join(''),
    isFixed: pieces.every((piece) => piece.isFixed),
    slashed: pieces.map((piece) => piece.slashed).join(''),
  };
}

function fixed(text: string): Piece {
  return { text, isFixed: true, slashed: text.replaceAll('\\', '/') };
}

/** Between double quotes a backslash quotes only these. */
function quoted(node: Node): Piece {
  const inner = node.text.slice(1, -1);
  const text = inner.replace(/\\(["\\$`])/g, '$1').replaceAll('\\\n', '');
  const isFixed = node.namedChildren.every((child) => child?.type === 'string_content');
  return { text, isFixed, slashed: text.replaceAll('\\', '/') };
}

/** Unquoted: a backslash quotes the next character, `*?[{~` are patterns. */
function bare(raw: string): Piece {
  const unbroken = raw.replaceAll('\\\n', '');
  const naked = unbroken.replace(/\\./gs, '');
  return {
    text: unbroken.replace(/\\(.)/gs, '$1'),
    isFixed: !/[*?[]|\{[^}]*(,|\.\.)[^}]*\}|^~/.test(naked),
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
  return words.map((word, index) => {
    const isScript = word.isFixed && runsAsScript(words, index);
    return isScript ? { ...word, script: reading.parse(word.text) } : word;
  });
}

function runsAsScript(words: readonly Word[], index: number): boolean {
  const [first] = words;
  const before = words[index - 1]?.text ?? '';
  if (first?.text === 'eval') return words.length === 2 && index === 1;
  if (first?.text === 'trap') return index === (words[1]?.text === '--' ? 2 : 1);
  const shell = words.findIndex(({ text }) => shells.test(text));
  return shell >= 0 && shell < index && takesCode.test(before);
}
