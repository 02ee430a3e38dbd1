import { createRequire } from 'node:module';
import { Language, Parser } from 'web-tree-sitter';
import type { ParseShell, Script } from '../goal/shell/script.ts';
import { toSteps } from './convert.ts';

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
    return { problem: null, steps: toSteps(tree.rootNode.children, parse) };
  } finally {
    tree.delete();
  }
}

const unreadable: Script = { problem: 'it is not a complete shell command', steps: [] };
