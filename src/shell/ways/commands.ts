import { mergePaths, type Path } from '../read/path.ts';
import type { Command, Script, Statement, Word } from '../read/script.ts';
import { scriptOfShell, unwrap } from '../read/wrappers.ts';
import { builtins } from './builtins.ts';
import type { Execution } from './execution.ts';
import { resolveWord, resolveWords } from './resolve.ts';
import { eitherWay, waysOf } from './ways.ts';

/** Functions and scripts inside of scripts are followed this deep. */
const DEEPEST = 6;

/** The ways in which one simple command may end. */
export function runCommand(command: Command, path: Path, execution: Execution): readonly Path[] {
  if (path.shell.noexec) return [{ ...path, status: 'ok' }];
  const words = resolveWords(command.words, path);
  if (words.length === 0) return assign(command, path, execution);
  const { words: inner } = unwrap(words);
  const name = inner[0]?.text ?? '';
  const body = path.shell.functions.get(name);
  if (body !== undefined) return callFunction(body, path, execution);
  const builtin = Object.hasOwn(builtins, name) ? builtins[name] : undefined;
  if (builtin !== undefined) {
    const ends = builtin({ command, words: inner, path, execution });
    return execution.harmless === null || !surroundings.test(name)
      ? ends
      : ends.filter(({ status }) => status === 'ok');
  }
  const nested = scriptOfShell(inner);
  if (nested !== null) return runNested(nested, inner, path, execution);
  const exported = new Map(path.shell.exported);
  for (const { name, value } of command.assignments) {
    exported.set(name, resolveWord(value, path).text);
  }
  return waysOf(command, words, exported, path, execution);
}

/** Builtins that prepare a check and don't make one. */
const surroundings = /^(cd|pushd|popd|source|\.|wait|read|shopt|unalias)$/;

/** An assignment on its own takes over the status of the substitution in it. */
function assign(command: Command, path: Path, execution: Execution): readonly Path[] {
  const variables = new Map(path.shell.variables);
  for (const { name, value } of command.assignments) {
    const resolved = resolveWord(value, path);
    if (resolved.isFixed) variables.set(name, resolved.text);
    else variables.delete(name);
  }
  const shell = { ...path.shell, variables };
  const script = command.assignments.flatMap(({ value }) => value.substitutions).at(-1);
  // It doesn't inherit `set -e`, and may set it for itself.
  const inner = { ...path, shell: { ...path.shell, errexit: false } };
  const ends: readonly Path[] =
    script === undefined
      ? [{ ...path, status: 'ok' }]
      : execution.runSteps(script.steps, [inner], execution);
  return mergePaths(ends.map((end) => ({ ...end, flow: 'next', shell })));
}

function callFunction(body: Statement, path: Path, execution: Execution): readonly Path[] {
  if (execution.depth >= DEEPEST) return eitherWay(path);
  const ends = execution.runStatement(body, path, { ...execution, depth: execution.depth + 1 });
  return ends.map((end) => (end.flow === 'return' ? { ...end, flow: 'next' } : end));
}

/** A shell of its own: it starts without pipefail, unless its flags ask for it. */
function runNested(
  script: Script,
  words: readonly Word[],
  path: Path,
  execution: Execution,
): readonly Path[] {
  if (execution.depth >= DEEPEST || script.problem !== null) return eitherWay(path);
  const flags = words.slice(
    1,
    words.findIndex((word) => word.script !== undefined),
  );
  const texts = flags.map(({ text }) => text);
  const shell = {
    ...path.shell,
    pipefail: texts.includes('pipefail'),
    errexit: texts.some((text) => /^-[a-z]*e/.test(text) || text === 'errexit'),
    noexec: texts.some((text) => /^-[a-z]*n/.test(text)),
    variables: new Map<string, string>(),
    functions: new Map<string, Statement>(),
  };
  const inner = { ...execution, depth: execution.depth + 1, isGuarded: false };
  const ends = execution.runSteps(script.steps, [{ ...path, shell }], inner);
  return mergePaths(ends.map((end) => ({ ...end, flow: 'next', shell: path.shell })));
}
