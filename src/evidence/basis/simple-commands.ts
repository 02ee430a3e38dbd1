import { createRequire } from 'node:module';
import { Language, type Node, Parser } from 'web-tree-sitter';

export interface SimpleCommand {
  /** Without quotes and assignments. */
  readonly words: readonly string[];
  /** Assignments before the command: `CI=1`. */
  readonly assignments: readonly string[];
}

/** The commands of a shell text in the order in which they are written; none where it is no shell. */
export async function simpleCommands(text: string): Promise<SimpleCommand[]> {
  const parser = await bashParser();
  const tree = parser.parse(text);
  if (tree === null) return [];
  try {
    return tree.rootNode
      .descendantsOfType('command')
      .filter((node) => node !== null)
      .map(toCommand)
      .filter(({ words }) => words.length > 0);
  } finally {
    tree.delete();
  }
}

function toCommand(node: Node): SimpleCommand {
  const parts = node.namedChildren.filter((child) => child !== null);
  const texts = (isAssignment: boolean) =>
    parts
      .filter((child) => (child.type === 'variable_assignment') === isAssignment)
      .filter(({ type }) => !type.endsWith('redirect'))
      .map(({ text }) => unquote(text));
  return { words: texts(false), assignments: texts(true) };
}

const unquote = (word: string): string =>
  word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_, single, double, escaped) =>
    String(single ?? double ?? escaped),
  );

let loading: Promise<Parser> | null = null;

function bashParser(): Promise<Parser> {
  loading ??= loadParser();
  return loading;
}

async function loadParser(): Promise<Parser> {
  await Parser.init();
  const wasm = createRequire(import.meta.url).resolve('tree-sitter-bash/tree-sitter-bash.wasm');
  const parser = new Parser();
  parser.setLanguage(await Language.load(wasm));
  return parser;
}
