import { createRequire } from 'node:module';
import { Language, type Node, Parser } from 'web-tree-sitter';

/**
 * Why the exit code of a command line would say nothing about what it runs, or null. Read from
 * the shell's syntax tree, so that quoting and comments don't deceive.
 */
export async function reasonWhyUncheckable(commandLine: string): Promise<string | null> {
  const parser = await bashParser();
  const tree = parser.parse(commandLine);
  if (tree === null || tree.rootNode.hasError) return 'it is not a complete shell command.';
  try {
    return reasonIn(tree.rootNode);
  } finally {
    tree.delete();
  }
}

function reasonIn(root: Node): string | null {
  if (root.descendantsOfType('&').length > 0) {
    return 'a command in the background has no exit code; take the & away.';
  }
  if (root.descendantsOfType('command').some(dropsPipefail)) {
    return '"set +o pipefail" hides failures inside of a pipe.';
  }
  const statements = root.namedChildren.filter(isStatement);
  if (statements.length === 0) return 'it runs nothing.';
  const last = statements.at(-1);
  const isMasked =
    (statements.length > 1 && last !== undefined && alwaysSucceeds(last)) ||
    root.descendantsOfType('list').some(isMaskedList);
  return isMasked ? 'its last part succeeds whatever came before; take that part away.' : null;
}

function isStatement(node: Node | null): node is Node {
  return node !== null && node.type !== 'comment';
}

/** `a || true`: the right side of an "or" that can't fail. */
function isMaskedList(list: Node | null): boolean {
  const last = list?.lastNamedChild ?? null;
  return (
    last !== null &&
    list?.children.some((part) => part?.type === '||') === true &&
    alwaysSucceeds(last)
  );
}

function alwaysSucceeds(statement: Node): boolean {
  if (statement.type === 'redirected_statement') {
    const body = statement.childForFieldName('body');
    return body !== null && alwaysSucceeds(body);
  }
  if (statement.type === 'list') {
    const last = statement.lastNamedChild;
    return last !== null && isMaskedList(statement) && alwaysSucceeds(last);
  }
  return /^(true|:|echo\b.*|printf\b.*|exit(\s+0)?)$/s.test(statement.text.trim());
}

function dropsPipefail(command: Node | null): boolean {
  return /^set\s+\+o\s+pipefail\b/.test(command?.text ?? '');
}

let loading: Promise<Parser> | null = null;

/** Loads on the first use: 20 ms that a start without command criteria need not pay. */
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
