import { loadShellParser } from '../../shell/read/parse.ts';
import type { Command, Pipeline, Script, Statement } from '../../shell/read/script.ts';
import { commandsIn, statementsIn } from '../../shell/read/walk.ts';

export interface SimpleCommand {
  readonly words: readonly string[];
  /** Another command judges its output, so its own exit code isn't the verdict. */
  readonly isRead: boolean;
}

/** Each command in a shell text, in its order; null where it can't be read. */
export async function simpleCommands(text: string): Promise<SimpleCommand[] | null> {
  const parse = await loadShellParser();
  const script = parse(text);
  if (script.problem !== null) return null;
  const read = new Set(statementsIn(script).flatMap(readBy));
  return commandsIn(script)
    .map((command) => ({
      words: command.words.map((word) => word.text),
      isRead: read.has(command),
    }))
    .filter(({ words }) => words.length > 0);
}

/** The commands whose output this statement reads. */
function readBy(statement: Statement): Command[] {
  if (statement.kind === 'pipeline') return readInPipeline(statement);
  if (statement.kind !== 'command') return [];
  const { words, assignments } = statement;
  return [...words, ...assignments.map(({ value }) => value)]
    .flatMap(({ substitutions }) => substitutions)
    .flatMap(commandsIn);
}

/** Programs that pass their input on: the exit code of the command before them still counts. */
const VIEWERS: ReadonlySet<string> = new Set(['cat', 'head', 'less', 'more', 'tail', 'tee']);

function readInPipeline({ parts }: Pipeline): Command[] {
  const last = parts.findLastIndex((part) => !isViewer(part));
  return parts.slice(0, last).flatMap((part) => commandsIn(scriptOf(part)));
}

const isViewer = (part: Statement): boolean =>
  part.kind === 'command' && VIEWERS.has(part.words[0]?.text ?? '');

const scriptOf = (statement: Statement): Script => ({
  problem: null,
  steps: [{ statement, isBackground: false }],
});
