/**
 * Where the keys and values of a JSON text stand, by line: what `JSON.parse` doesn't tell. The text
 * must be JSON.
 * @returns path, its parts as a JSON array → line, from 1
 */
export function linesOf(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  // Strings, and everything else that has a meaning, each with where it begins.
  const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)];
  let at = 0;
  let line = 1;
  let scanned = 0;
  const lineOf = (position: number): number => {
    for (; scanned < position; scanned += 1) if (text[scanned] === '\n') line += 1;
    return line;
  };
  const next = () => tokens[at++];
  const peek = () => tokens[at]?.[0];

  function value(path: readonly string[], from: number): void {
    lines.set(JSON.stringify(path), from);
    const opening = next()?.[0];
    if (opening === '{') entries(path);
    else if (opening === '[') items(path);
  }

  function entries(path: readonly string[]): void {
    while (peek() !== '}' && peek() !== undefined) {
      const key = next();
      if (key === undefined || key[0] === ',') continue;
      next();
      value([...path, JSON.parse(key[0]) as string], lineOf(key.index));
    }
    next();
  }

  function items(path: readonly string[]): void {
    for (let index = 0; peek() !== ']' && peek() !== undefined; ) {
      if (peek() === ',') {
        next();
        continue;
      }
      value([...path, String(index)], lineOf(tokens[at]?.index ?? 0));
      index += 1;
    }
    next();
  }

  value([], 1);
  return lines;
}
