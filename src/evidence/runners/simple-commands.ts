import { loadShellParser } from '../../shell/read/parse.ts';
import { commandsIn } from '../../shell/read/walk.ts';

/** The words of each command in a shell text, in its order; null where it can't be read. */
export async function simpleCommands(text: string): Promise<string[][] | null> {
  const parse = await loadShellParser();
  const script = parse(text);
  if (script.problem !== null) return null;
  return commandsIn(script)
    .map((command) => command.words.map((word) => word.text))
    .filter((words) => words.length > 0);
}
