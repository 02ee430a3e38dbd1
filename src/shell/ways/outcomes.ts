import type { Folder } from '../read/folder.ts';
import { certainOf, type Fact, mergePaths, type Path, type Shell } from '../read/path.ts';
import type {
  AndOrList,
  Choice,
  Conditional,
  Definition,
  Group,
  Loop,
  Pipeline,
  Round,
  Script,
  Statement,
  Step,
} from '../read/script.ts';
import { filtersIn } from '../read/walk.ts';
import { runCommand } from './commands.ts';
import type { Execution } from './execution.ts';
import { resolveWords } from './resolve.ts';

export interface Outcomes {
  /** The certainties when the script exits with zero; null when it never can. */
  readonly onSuccess: ReadonlyMap<string, Fact> | null;
  /** The certainties when it exits with anything else; null when it never does. */
  readonly onFailure: ReadonlyMap<string, Fact> | null;
}

/**
 * Follows all ways through a script under `bash -o pipefail -c` and says what its exit code
 * implies. A command that is certain on success was run, and its own exit decided.
 */
export function outcomesOf(
  script: Script,
  folder: Folder,
  workspace?: string,
  { onlyChecksFail = false } = {},
): Outcomes {
  const shell: Shell = {
    folder,
    errexit: false,
    pipefail: true,
    noexec: false,
    variables: new Map(),
    exported: new Map(),
    functions: new Map(),
  };
  const start: Path = { flow: 'next', status: 'ok', shell, facts: new Map() };
  const execution: Execution = {
    workspace,
    depth: 0,
    isGuarded: false,
    harmless: onlyChecksFail ? filtersIn(script) : null,
    runSteps,
    runStatement,
  };
  const ends = runSteps(script.steps, [start], execution);
  const certain = (status: Path['status']) => {
    const paths = ends.filter((path) => path.status === status);
    return paths.length === 0 ? null : certainOf(paths);
  };
  return { onSuccess: certain('ok'), onFailure: certain('failed') };
}

function runSteps(
  steps: readonly Step[],
  starts: readonly Path[],
  execution: Execution,
): readonly Path[] {
  return steps.reduce<readonly Path[]>(
    (paths, step) => onNext(paths, (path) => runStep(step, path, execution)),
    starts,
  );
}

/** Goes on with the paths that go on; the others have left already. */
function onNext(paths: readonly Path[], run: (path: Path) => readonly Path[]): Path[] {
  return mergePaths(paths.flatMap((path) => (path.flow === 'next' ? run(path) : [path])));
}

function runStep({ statement, isBackground }: Step, path: Path, execution: Execution) {
  return isBackground
    ? [{ ...path, status: 'ok' as const }]
    : runStatement(statement, path, execution);
}

function runStatement(statement: Statement, path: Path, execution: Execution): readonly Path[] {
  switch (statement.kind) {
    case 'command':
      return stopOnError(runCommand(statement, path, execution), execution);
    case 'chain':
      return runChain(statement, path, execution);
    case 'pipeline':
      return stopOnError(runPipeline(statement, path, execution), execution, statement.isNegated);
    case 'group':
      return runGroup(statement, path, execution);
    case 'if':
      return runConditional(statement, path, execution);
    case 'loop':
      return runLoop(statement, path, execution);
    case 'for':
      return runRounds(statement, path, execution);
    case 'case':
      return runChoice(statement, path, execution);
    case 'function':
      return [define(statement, path)];
  }
}

function define({ name, body }: Definition, path: Path): Path {
  const functions = new Map(path.shell.functions).set(name, body);
  return { ...path, status: 'ok', shell: { ...path.shell, functions } };
}

/** `set -e` ends the script, but not where the status is looked at. */
function stopOnError(
  paths: readonly Path[],
  { isGuarded }: Execution,
  isLookedAt = false,
): readonly Path[] {
  if (isGuarded || isLookedAt) return paths;
  return paths.map((path) =>
    path.flow === 'next' && path.status === 'failed' && path.shell.errexit
      ? { ...path, flow: 'exit' }
      : path,
  );
}

function guarded(execution: Execution): Execution {
  return { ...execution, isGuarded: true };
}

function runChain({ operator, left, right }: AndOrList, path: Path, execution: Execution) {
  const goesOn = operator === '&&' ? 'ok' : 'failed';
  return onNext(runStatement(left, path, guarded(execution)), (after) =>
    after.status === goesOn ? runStatement(right, after, execution) : [after],
  );
}

function runPipeline({ isNegated, parts }: Pipeline, path: Path, execution: Execution) {
  const inner = isNegated ? guarded(execution) : execution;
  const ends =
    parts.length === 1 && parts[0] !== undefined
      ? runStatement(parts[0], path, inner)
      : runParts(parts, path, inner);
  return isNegated ? ends.map(negate) : ends;
}

function negate(path: Path): Path {
  if (path.flow !== 'next') return path;
  return { ...path, status: path.status === 'ok' ? 'failed' : 'ok' };
}

/** Each part runs in a shell of its own; with pipefail all of them have to succeed. */
function runParts(parts: readonly Statement[], path: Path, execution: Execution): readonly Path[] {
  const { pipefail } = path.shell;
  let sums: readonly Path[] = [{ ...path, status: 'ok' }];
  for (const part of parts) {
    const ends = inSubshell(path, runStatement(part, { ...path, facts: new Map() }, execution));
    sums = mergePaths(
      sums.flatMap((sum) =>
        ends.map((end) => ({
          ...sum,
          status: pipefail && sum.status === 'failed' ? 'failed' : end.status,
          facts: new Map([...sum.facts, ...end.facts]),
        })),
      ),
    );
  }
  return sums;
}

/** Effects of a subshell stay there, but for its status and its certainties. */
function inSubshell({ shell }: Path, paths: readonly Path[]): readonly Path[] {
  return mergePaths(paths.map((path) => ({ ...path, flow: 'next', shell })));
}

function runGroup({ isSubshell, steps }: Group, path: Path, execution: Execution) {
  const ends = runSteps(steps, [path], execution);
  return isSubshell ? stopOnError(inSubshell(path, ends), execution) : ends;
}

function runConditional(
  { arms, otherwise }: Conditional,
  path: Path,
  execution: Execution,
): readonly Path[] {
  const [arm, ...rest] = arms;
  if (arm === undefined) {
    return otherwise === null
      ? [{ ...path, status: 'ok' }]
      : runSteps(otherwise, [path], execution);
  }
  return onNext(runSteps(arm.condition, [path], guarded(execution)), (after) =>
    after.status === 'ok'
      ? runSteps(arm.body, [after], execution)
      : runConditional({ kind: 'if', arms: rest, otherwise }, after, execution),
  );
}

/** More rounds than this find no new ways out of a loop. */
const ROUNDS = 3;

function runLoop(loop: Loop, path: Path, execution: Execution): readonly Path[] {
  const goesOn = loop.isUntil ? 'failed' : 'ok';
  const left: Path[] = [];
  let paths: readonly Path[] = [path];
  for (let round = 0; round < ROUNDS && paths.length > 0; round += 1) {
    const tested = runSteps(loop.condition, paths, guarded(execution));
    const inside = tested.filter((one) => one.flow === 'next' && one.status === goesOn);
    left.push(...tested.filter((one) => !inside.includes(one)).map((one) => leave(one)));
    const ended = inside.length === 0 ? [] : runSteps(loop.body, inside, execution);
    paths = mergePaths(ended.filter(staysInLoop).map(proceed));
    left.push(...ended.filter((one) => !staysInLoop(one)).map(proceed));
  }
  return mergePaths(left);
}

/** A loop whose condition ended it succeeds, unless its last round left another status. */
function leave(path: Path): Path {
  return path.flow === 'next' ? { ...path, status: 'ok' } : path;
}

function staysInLoop({ flow }: Path): boolean {
  return flow === 'next' || flow === 'continue';
}

function proceed(path: Path): Path {
  return path.flow === 'continue' || path.flow === 'break' ? { ...path, flow: 'next' } : path;
}

/** Over words that are written out the rounds are known; else there may be none at all. */
function runRounds({ variable, words, body }: Round, path: Path, execution: Execution) {
  const known = words === null ? null : resolveWords(words, path);
  const values = known?.every(({ isFixed }) => isFixed) ? known.map(({ text }) => text) : null;
  const left: Path[] = values === null ? [{ ...path, status: 'ok' }] : [];
  let paths: readonly Path[] = [{ ...path, status: 'ok' }];
  for (const value of values ?? Array.from({ length: ROUNDS - 1 }, () => null)) {
    const starts = paths.map((one) => withVariable(one, variable, value));
    const ended = runSteps(body, starts, execution);
    left.push(...ended.filter((one) => !staysInLoop(one)).map(proceed));
    paths = mergePaths(ended.filter(staysInLoop).map(proceed));
    if (values === null) left.push(...paths);
  }
  return mergePaths([...left, ...paths]);
}

function withVariable(path: Path, name: string, value: string | null): Path {
  const variables = new Map(path.shell.variables);
  if (value === null) variables.delete(name);
  else variables.set(name, value);
  return { ...path, shell: { ...path.shell, variables } };
}

function runChoice({ branches, hasDefault }: Choice, path: Path, execution: Execution) {
  const none: Path[] = hasDefault ? [] : [{ ...path, status: 'ok' }];
  return mergePaths([...none, ...branches.flatMap((steps) => runSteps(steps, [path], execution))]);
}
