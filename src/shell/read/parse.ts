import { createRequire } from 'node:module';
import { Language, Parser, type Tree } from 'web-tree-sitter';
import { toSteps } from './convert.ts';
import type { Command, ParseShell, Script } from './script.ts';
import { commandsIn } from './walk.ts';

let loading: Promise<ParseShell> | null = null;

/** Loads on the first use: 20 ms that a start without commands need not pay. */
export function loadShellParser(): Promise<ParseShell> {
  loading ??= createParser();
  return loading;
}

async function createParser(): Promise<ParseShell> {
  await Parser.init();
  const wasm = createRequire(import.meta.url).resolve('tree-sitter-bash/tree-sitter-bash.wasm');
  const parser = new Parser();
  parser.setLanguage(await Language.load(wasm));
  const parse: ParseShell = (text) => read(parser, parse, text);
  return parse;
}

function read(parser: Parser, parse: ParseShell, text: string): Script {
  const tree = parser.parse(text);
  if (tree === null) return unreadable;
  try {
    if (tree.rootNode.hasError) return unreadable;
    if (isTooDeep(tree)) return misread;
    const script = { problem: null, steps: toSteps(tree.rootNode.children, parse) };
    return commandsIn(script).some(isMisread) ? misread : script;
  } finally {
    tree.delete();
  }
}

/** What reads a tree calls itself once a level. */
const DEEPEST = 200;

function isTooDeep(tree: Tree): boolean {
  const cursor = tree.walk();
  try {
    for (;;) {
      if (cursor.gotoFirstChild()) {
        if (cursor.currentDepth > DEEPEST) return true;
        continue;
      }
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return false;
    }
  } finally {
    cursor.delete();
  }
}

/** The grammar takes some nestings of reserved words, such as `! { …; }`, for plain commands. */
function isMisread({ words }: Command): boolean {
  return /^([{}!]|if|then|elif|else|fi|do|done|while|until|for|case|esac|function|coproc)$/.test(
    words[0]?.text ?? '',
  );
}

const misread: Script = {
  problem: 'it is too entangled to be read; write it more simply',
  steps: [],
};
const unreadable: Script = { problem: 'it is not a complete shell command', steps: [] };
