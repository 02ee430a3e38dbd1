import { enterFolder } from '../read/folder.ts';
import type { Path, Shell } from '../read/path.ts';
import type { Command, Word } from '../read/script.ts';
import type { Execution } from './execution.ts';
import { outcomeOfTest, resolveWord, statusOf } from './resolve.ts';
import { eitherWay as bothWays, waysOf } from './ways.ts';

export interface BuiltinCall {
  readonly command: Command;
  /** Resolved, without wrappers. */
  readonly words: readonly Word[];
  readonly path: Path;
  readonly execution: Execution;
}

type Builtin = (call: BuiltinCall) => readonly Path[];

const succeed: Builtin = ({ path }) => [{ ...path, status: 'ok' }];
const eitherWay: Builtin = ({ path }) => bothWays(path);

/** `break` and `continue` leave with success; the loop decides what comes of it. */
const jump =
  (flow: Path['flow']): Builtin =>
  ({ path }) => [{ ...path, flow, status: 'ok' }];

/** `exit` and `return`: by the last status, a captured one, or one that only the shell knows. */
const end =
  (flow: Path['flow']): Builtin =>
  ({ words, path }) => {
    const [, given] = words;
    const status = given === undefined ? path.status : statusOf(given);
    return status === null
      ? bothWays(path).map((way) => ({ ...way, flow }))
      : [{ ...path, flow, status }];
  };

const changeFolder: Builtin = ({ words, path, execution }) => {
  const target = words.slice(1).find(({ text }) => text === '-' || !text.startsWith('-'));
  const isKnown = target?.isFixed === true;
  const folder = isKnown ? enterFolder(path.shell.folder, target.text, execution.workspace) : null;
  return [
    { ...path, status: 'ok', shell: { ...path.shell, folder } },
    { ...path, status: 'failed' },
  ];
};

const leaveFolder: Builtin = ({ path }) => [
  { ...path, status: 'ok', shell: { ...path.shell, folder: null } },
  { ...path, status: 'failed' },
];

const declare: Builtin = ({ command, words, path }) => {
  const variables = new Map(path.shell.variables);
  const exported = new Map(path.shell.exported);
  const isExport = words[0]?.text === 'export' || words.some(({ text }) => /^-\w*x/.test(text));
  for (const { name, value } of command.assignments) {
    const resolved = resolveWord(value, path);
    if (resolved.isFixed) variables.set(name, resolved.text);
    else variables.delete(name);
    if (isExport) exported.set(name, resolved.text);
  }
  for (const { text } of isExport ? words.slice(1) : []) {
    const value = variables.get(text);
    if (value !== undefined) exported.set(text, value);
  }
  return [{ ...path, status: 'ok', shell: { ...path.shell, variables, exported } }];
};

const forget: Builtin = ({ words, path }) => {
  const variables = new Map(path.shell.variables);
  const exported = new Map(path.shell.exported);
  for (const { text } of words) {
    variables.delete(text);
    exported.delete(text);
  }
  return [{ ...path, status: 'ok', shell: { ...path.shell, variables, exported } }];
};

const setOptions: Builtin = ({ words, path }) => {
  let shell = path.shell;
  for (let index = 1; index < words.length; index += 1) {
    const text = words[index]?.text ?? '';
    if (text === '--' || !/^[-+]/.test(text)) break;
    const isOn = text.startsWith('-');
    for (const letter of text.slice(1)) {
      const name = letter === 'o' ? (words[index + 1]?.text ?? '') : (letters[letter] ?? '');
      shell = withOption(shell, name, isOn);
    }
    if (text.endsWith('o')) index += 1;
  }
  return [{ ...path, status: 'ok', shell }];
};

const letters: Readonly<Record<string, string>> = { e: 'errexit', n: 'noexec' };

function withOption(shell: Shell, name: string, isOn: boolean): Shell {
  const known = name === 'errexit' || name === 'pipefail' || name === 'noexec';
  return known ? { ...shell, [name]: isOn } : shell;
}

/** Takes the place of the shell, so that nothing after it runs. */
const replaceShell: Builtin = ({ command, words, path, execution }) => {
  const rest = words.slice(1);
  if (rest.length === 0) return [{ ...path, status: 'ok' }];
  const ends = execution.runStatement({ ...command, words: rest }, path, execution);
  return ends.map((one) => ({ ...one, flow: 'exit' }));
};

const evaluate: Builtin = ({ words, path, execution }) => {
  const script = words[1]?.script;
  if (script === undefined || script.problem !== null) return bothWays(path);
  return execution.runSteps(script.steps, [path], execution);
};

/** A test of a captured status is decided by it; any other is a check of its own. */
const test: Builtin = ({ command, words, path, execution }) => {
  const outcome = outcomeOfTest(words);
  if (outcome !== null) return [{ ...path, status: outcome }];
  return waysOf(command, words, path.shell.exported, path, execution);
};

/** The shell's own commands, and their meaning for the way on. */
export const builtins: Readonly<Record<string, Builtin>> = {
  true: succeed,
  ':': succeed,
  false: ({ path }) => [{ ...path, status: 'failed' }],
  echo: succeed,
  printf: succeed,
  exit: end('exit'),
  return: end('return'),
  break: jump('break'),
  continue: jump('continue'),
  cd: changeFolder,
  pushd: changeFolder,
  popd: leaveFolder,
  export: declare,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  unset: forget,
  set: setOptions,
  shopt: eitherWay,
  trap: succeed,
  wait: eitherWay,
  read: eitherWay,
  alias: succeed,
  unalias: eitherWay,
  source: eitherWay,
  '.': eitherWay,
  exec: replaceShell,
  eval: evaluate,
  test,
  '[': test,
  '[[': test,
};
