import type { Command, Redirect, Script, Statement, Step } from './script.ts';

/** Every simple command that the text holds, in its order, also those that may never run. */
export function commandsIn(script: Script): Command[] {
  return statementsIn(script).filter((statement) => statement.kind === 'command');
}

/** Every statement, also inside of substitutions and of scripts that are given as a word. */
export function statementsIn({ steps }: Script): Statement[] {
  return steps.flatMap(({ statement }) => nestedStatements(statement));
}

function nestedStatements(statement: Statement): Statement[] {
  return [statement, ...insideOf(statement)];
}

function insideOf(statement: Statement): Statement[] {
  switch (statement.kind) {
    case 'command':
      return scriptsOf(statement).flatMap(statementsIn);
    case 'chain':
      return [...nestedStatements(statement.left), ...nestedStatements(statement.right)];
    case 'pipeline':
      return statement.parts.flatMap(nestedStatements);
    case 'group':
      return [...scriptsAt(statement.redirects).flatMap(statementsIn), ...all(statement.steps)];
    case 'if':
      return [
        ...statement.arms.flatMap(({ condition, body }) => [...all(condition), ...all(body)]),
        ...all(statement.otherwise ?? []),
      ];
    case 'loop':
      return [...all(statement.condition), ...all(statement.body)];
    case 'for':
      return [...statement.substitutions.flatMap(statementsIn), ...all(statement.body)];
    case 'case':
      return [...statement.substitutions.flatMap(statementsIn), ...statement.branches.flatMap(all)];
    case 'function':
      return nestedStatements(statement.body);
  }
}

function all(steps: readonly Step[]): Statement[] {
  return steps.flatMap(({ statement }) => nestedStatements(statement));
}

function scriptsOf({ words, assignments, redirects }: Command): Script[] {
  const all = [...words, ...assignments.map(({ value }) => value)];
  const inWords = all.flatMap(({ script, substitutions }) => [
    ...substitutions,
    ...(script === undefined ? [] : [script]),
  ]);
  return [...inWords, ...scriptsAt(redirects)];
}

/** In names of files, here-documents and here-strings. */
const scriptsAt = (redirects: readonly Redirect[]): Script[] =>
  redirects.flatMap(({ target }) => target.substitutions);

export function definitionsIn(script: Script): Map<string, Statement> {
  const functions = new Map<string, Statement>();
  for (const statement of statementsIn(script)) {
    if (statement.kind === 'function') functions.set(statement.name, statement.body);
  }
  return functions;
}

const filters =
  /^(tail|head|tee|less|more|cat|sed|awk|sort|uniq|wc|cut|tr|column|jq|grep|egrep|rg|nl|fold|ts|strings|tap-\w+|pino-pretty)$/;

/** Commands that only show the output of what is piped into them, spelled with \0 between words. */
export function filtersIn(script: Script): ReadonlySet<string> {
  const tails = statementsIn(script).flatMap((statement) =>
    statement.kind === 'pipeline' ? statement.parts.slice(1) : [],
  );
  const spelled = tails.flatMap((part) => {
    if (part.kind !== 'command') return [];
    const [name = '', ...args] = part.words.map(({ text }) => text);
    // A quiet search is there for its exit code.
    const isCheck = /grep|rg/.test(name) && args.some((word) => /^(-\w*q|--quiet)/.test(word));
    return filters.test(name) && !isCheck ? [[name, ...args].join('\0')] : [];
  });
  return new Set(spelled);
}
