import type { Node } from 'web-tree-sitter';
import type {
  Command,
  Conditional,
  ParseShell,
  Redirect,
  Script,
  Statement,
  Step,
} from './script.ts';
import {
  readWords,
  substitutionsIn,
  toAssignment,
  toWord,
  type WordContext,
  withScripts,
} from './words.ts';

type Token =
  | { readonly kind: 'operator'; readonly text: string }
  | { readonly kind: 'atom'; statement: Statement };

/** Statements of a block, with the `&` that ends some of them. */
export function toSteps(nodes: readonly (Node | null)[], parse: ParseShell): readonly Step[] {
  const reading: WordContext = { parse, toSteps: (inner) => readSteps(inner, reading) };
  return readSteps(nodes, reading);
}

function readSteps(nodes: readonly (Node | null)[], reading: WordContext): readonly Step[] {
  const steps: Step[] = [];
  for (const node of nodes) {
    if (node === null) continue;
    const last = steps.at(-1);
    if (node.type === '&' && last !== undefined) {
      steps[steps.length - 1] = { ...last, isBackground: true };
    }
    if (!isStatement(node)) continue;
    steps.push({ statement: toStatement(node, reading), isBackground: false });
  }
  return steps;
}

function isStatement(node: Node): boolean {
  return node.isNamed && node.type !== 'comment';
}

/**
 * The grammar nests redirects, pipes, negations and lists by where they stand, not by how the
 * shell binds them (`a && b | c` may come as a pipe of a list). So each statement is laid out flat
 * in its order and bound again.
 */
function toStatement(node: Node, reading: WordContext): Statement {
  const tokens: Token[] = [];
  layOut(node, tokens, reading);
  return bindList(tokens);
}

const operators = new Set(['&&', '||', '|', '|&', '!']);

function layOut(node: Node, tokens: Token[], reading: WordContext): void {
  if (operators.has(node.type)) tokens.push({ kind: 'operator', text: node.type });
  else if (['list', 'pipeline', 'negated_command'].includes(node.type)) {
    for (const child of node.children) if (child !== null) layOut(child, tokens, reading);
  } else if (node.type === 'redirected_statement') layOutRedirected(node, tokens, reading);
  else if (isStatement(node)) tokens.push({ kind: 'atom', statement: toAtom(node, reading) });
}

function layOutRedirected(node: Node, tokens: Token[], reading: WordContext): void {
  const body = node.childForFieldName('body');
  if (body !== null) layOut(body, tokens, reading);
  else tokens.push({ kind: 'atom', statement: emptyCommand });
  for (const redirect of node.childrenForFieldName('redirect')) {
    if (redirect === null) continue;
    addRedirects(tokens, toRedirects(redirect, reading));
    if (redirect.type === 'heredoc_redirect') layOutRest(redirect, tokens, reading);
  }
}

const emptyCommand: Command = { kind: 'command', assignments: [], words: [], redirects: [] };

/** The rest of the line after a here-document's start hangs below it. */
function layOutRest(redirect: Node, tokens: Token[], reading: WordContext): void {
  const parts = new Set(['&&', '||', 'pipeline']);
  redirect.children.forEach((child, index) => {
    if (child === null) return;
    const isRight = redirect.fieldNameForChild(index) === 'right';
    if (parts.has(child.type) || isRight) layOut(child, tokens, reading);
    if (redirect.fieldNameForChild(index) === 'argument') addWord(tokens, child, reading);
  });
}

/** `cat <<EOF more words`: an argument behind the here-document's start. */
function addWord(tokens: Token[], node: Node, reading: WordContext): void {
  const last = tokens.at(-1);
  if (last?.kind !== 'atom' || last.statement.kind !== 'command') return;
  last.statement = { ...last.statement, words: [...last.statement.words, toWord(node, reading)] };
}

function addRedirects(tokens: Token[], redirects: readonly Redirect[]): void {
  const last = tokens.at(-1);
  if (last?.kind !== 'atom') return;
  const { statement } = last;
  if (statement.kind === 'command' || statement.kind === 'group') {
    last.statement = { ...statement, redirects: [...statement.redirects, ...redirects] };
  } else {
    const steps = [{ statement, isBackground: false }];
    last.statement = { kind: 'group', isSubshell: false, steps, redirects };
  }
}

function toRedirects(node: Node, reading: WordContext): Redirect[] {
  const operator = node.children.find((child) => child !== null && !child.isNamed)?.type ?? '>';
  if (node.type === 'heredoc_redirect') {
    const body = node.children.find((child) => child?.type === 'heredoc_body') ?? null;
    const text = body?.text ?? '';
    const target = {
      text,
      isFixed: true,
      slashed: text,
      substitutions: inBody(node, body, reading),
    };
    const nested = node.childrenForFieldName('redirect').filter((child) => child !== null);
    return [{ operator, target }, ...nested.flatMap((child) => toRedirects(child, reading))];
  }
  const target = node.childForFieldName('destination') ?? node.lastNamedChild;
  return target === null ? [] : [{ operator, target: toWord(target, reading) }];
}

/** The grammar sees those in `$(…)`, but none between backquotes. */
function inBody(node: Node, body: Node | null, reading: WordContext): Script[] {
  const start = node.children.find((child) => child?.type === 'heredoc_start')?.text ?? '';
  if (body === null || /['"\\]/.test(start)) return [];
  const quoted = body.text.matchAll(/(?<!\\)`((?:\\.|[^`\\])*)`/gs);
  const scripts = [...quoted].map(([, text = '']) =>
    reading.parse(text.replace(/\\([`$\\])/g, '$1')),
  );
  return [...substitutionsIn(body, reading), ...scripts];
}

function bindList(tokens: readonly Token[]): Statement {
  const pipelines: Token[][] = [[]];
  const links: ('&&' | '||')[] = [];
  for (const token of tokens) {
    if (token.kind === 'operator' && (token.text === '&&' || token.text === '||')) {
      links.push(token.text);
      pipelines.push([]);
    } else pipelines.at(-1)?.push(token);
  }
  const [first = emptyCommand, ...rest] = pipelines.map(bindPipeline);
  return rest.reduce<Statement>(
    (left, right, index) => ({ kind: 'chain', operator: links[index] ?? '&&', left, right }),
    first,
  );
}

function bindPipeline(tokens: readonly Token[]): Statement {
  const negations = tokens.filter((token) => token.kind === 'operator' && token.text === '!');
  const parts = tokens.flatMap((token) => (token.kind === 'atom' ? [token.statement] : []));
  const isNegated = negations.length % 2 === 1;
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && !isNegated) return only;
  return { kind: 'pipeline', isNegated, parts };
}

function toAtom(node: Node, reading: WordContext): Statement {
  switch (node.type) {
    case 'subshell':
      return group(node, reading, { isSubshell: true });
    case 'compound_statement':
      return node.firstChild?.type === '(('
        ? arithmetic(node, reading)
        : group(node, reading, { isSubshell: false });
    case 'if_statement':
      return toConditional(node, reading);
    case 'while_statement':
      return {
        kind: 'loop',
        isUntil: node.firstChild?.type === 'until',
        condition: reading.toSteps(node.childrenForFieldName('condition')),
        body: bodyOf(node, reading),
      };
    case 'for_statement':
    case 'c_style_for_statement':
      return toRound(node, reading);
    case 'case_statement':
      return toChoice(node, reading);
    case 'function_definition':
      return toDefinition(node, reading);
    default:
      return toCommand(node, reading);
  }
}

function group(
  node: Node,
  reading: WordContext,
  { isSubshell }: { isSubshell: boolean },
): Statement {
  return { kind: 'group', isSubshell, steps: reading.toSteps(node.children), redirects: [] };
}

function arithmetic(node: Node, reading: WordContext): Command {
  const { text } = node;
  const substitutions = substitutionsIn(node, reading);
  return { ...emptyCommand, words: [{ text, isFixed: false, slashed: text, substitutions }] };
}

function bodyOf(node: Node, reading: WordContext): readonly Step[] {
  return reading.toSteps(node.childForFieldName('body')?.children ?? []);
}

function toConditional(node: Node, reading: WordContext): Conditional {
  const arms = [node, ...node.children.filter((child) => child?.type === 'elif_clause')];
  const last = node.children.find((child) => child?.type === 'else_clause') ?? null;
  return {
    kind: 'if',
    arms: arms.flatMap((arm) => (arm === null ? [] : [toArm(arm, reading)])),
    otherwise: last === null ? null : reading.toSteps(last.children),
  };
}

/** The condition stands before `then`, the body behind it. */
function toArm(node: Node, reading: WordContext): Conditional['arms'][number] {
  const own = node.children.filter(
    (child) => child?.type !== 'elif_clause' && child?.type !== 'else_clause',
  );
  const then = own.findIndex((child) => child?.type === 'then');
  return {
    condition: reading.toSteps(own.slice(0, then)),
    body: reading.toSteps(own.slice(then + 1)),
  };
}

function toRound(node: Node, reading: WordContext): Statement {
  const isCounted = node.type === 'c_style_for_statement' || node.firstChild?.type === 'select';
  const values = node.childrenForFieldName('value').filter((child) => child !== null);
  return {
    kind: 'for',
    variable: node.childForFieldName('variable')?.text ?? '',
    words: isCounted || values.length === 0 ? null : values.map((value) => toWord(value, reading)),
    substitutions: headOf(node, 'body').flatMap((part) => substitutionsIn(part, reading)),
    body: bodyOf(node, reading),
  };
}

function toChoice(node: Node, reading: WordContext): Statement {
  const items = node.children.filter((child) => child?.type === 'case_item');
  const branches = items.map((item) =>
    reading.toSteps(item?.children.filter((_, i) => item.fieldNameForChild(i) !== 'value') ?? []),
  );
  const hasDefault = items.some((item) => item?.childForFieldName('value')?.text === '*');
  const head = [node, ...items].flatMap((one) => (one === null ? [] : ofField(one, 'value')));
  const substitutions = head.flatMap((part) => substitutionsIn(part, reading));
  return { kind: 'case', substitutions, branches, hasDefault };
}

const ofField = (node: Node, field: string): Node[] =>
  node.childrenForFieldName(field).filter((child) => child !== null);

/** The text before this field. */
const headOf = (node: Node, field: string): Node[] =>
  node.children.filter(
    (child, index): child is Node => child !== null && node.fieldNameForChild(index) !== field,
  );

function toDefinition(node: Node, reading: WordContext): Statement {
  const body = node.childForFieldName('body');
  const atom = body === null ? emptyCommand : toAtom(body, reading);
  const tokens: Token[] = [{ kind: 'atom', statement: atom }];
  for (const redirect of ofField(node, 'redirect')) {
    addRedirects(tokens, toRedirects(redirect, reading));
  }
  return {
    kind: 'function',
    name: node.childForFieldName('name')?.text ?? '',
    body: bindList(tokens),
  };
}

function toCommand(node: Node, reading: WordContext): Command {
  const children = node.children.filter((child) => child !== null);
  const isRedirect = ({ type }: Node) => type.endsWith('_redirect');
  const assignments = node.type === 'variable_assignment' ? [node] : ofType(children);
  const words = node.type.startsWith('variable_assignment')
    ? []
    : children.filter((child) => child.type !== 'variable_assignment' && !isRedirect(child));
  return {
    kind: 'command',
    assignments: assignments.map((child) => toAssignment(child, reading)),
    words: withScripts(readWords(node, words.flatMap(leaves), reading), reading),
    redirects: children.filter(isRedirect).flatMap((child) => toRedirects(child, reading)),
  };
}

function ofType(nodes: readonly Node[]): Node[] {
  return nodes.filter(({ type }) => type === 'variable_assignment');
}

/** The operands and operators of a test in brackets are words like any other. */
function leaves(node: Node): Node[] {
  const isExpression = /^(binary|unary|parenthesized|ternary)_expression$/.test(node.type);
  return isExpression ? node.children.flatMap((child) => (child ? leaves(child) : [])) : [node];
}
