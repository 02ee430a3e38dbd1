import type { Redirect } from './script.ts';

const launch =
  /\b(?:system|popen|Popen|exec|execSync|execFile|execFileSync|spawn|spawnSync|run|call|check_call|check_output|getoutput|shell_exec|passthru|qx)\s*\(([^)]*)\)/gs;
const literal = /(['"`])((?:\\.|(?!\1).)*)\1/gs;

/** Command lines that code in another language hands to the system, where it names them. */
export function launchedBy(
  args: readonly { readonly text: string }[],
  given: readonly Redirect[],
): string[] {
  const bodies = given.filter(({ operator }) => operator.startsWith('<<'));
  const code = [...args.map(({ text }) => text), ...bodies.map(({ target }) => target.text)];
  return code.flatMap((text) => [...text.matchAll(launch)].flatMap(([, inside]) => lineOf(inside)));
}

/** A string is a line; a list, or a program with its list, are its words. */
function lineOf(inside = ''): string[] {
  const texts = [...inside.matchAll(literal)].map(([, , text = '']) => text);
  const [first] = texts;
  if (first === undefined) return [];
  const isList = /^\s*(['"`])(?:(?!\1).)*\1\s*,\s*\[|^\s*\[/s.test(inside);
  return [isList ? texts.map((text) => `'${text.replaceAll("'", "'\\''")}'`).join(' ') : first];
}
