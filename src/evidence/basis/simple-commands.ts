import { commandsIn } from '../../goal/shell/walk.ts';
import { loadShellParser } from '../../shell/parse.ts';

/** The words of each command in a shell text, in its order; null where it can't be read. */
export async function simpleCommands(text: string): Promise<string[][] | null> {
  const parse = await loadShellParser();
  const script = parse(text);
  if (script.problem !== null) return null;
  return commandsIn(script)
    .map(({ words }) => words.map((word) => word.text))
    .filter((words) => words.length > 0);
}
