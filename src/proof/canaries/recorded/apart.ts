import { bareStatement } from '../expected.ts';
import { endOutside, literally, type Span } from '../spans.ts';
import type { WorkNames } from './from-work.ts';
import { says, withoutStrings } from './names.ts';

/*
 * Who is given what is expected, or the row in which it stands, may rightly follow it: what is
 * decoded is what was encoded. Where the work is given neither, other data has to be noticed.
 */

/** A name, or a member of one. */
const MEMBER = /^([A-Za-z_$][\w$]*)(?:\s*\.\s*[A-Za-z_$][\w$]*|\s*\[\s*["'][^"'\]]*["']\s*\])*$/;
const HEAD = /^\s*for\b\s*(?:await\s*)?\(?/;

/** Tells of what is expected whether no line that says the work gives it away. */
export function apartFrom(text: string, work: WorkNames): (expected: Span) => boolean {
  const lines = [...text.matchAll(/[^\n]+/g)].filter(([line]) => says(line, work.names));
  return ([from, to]) => {
    const expected = text.slice(from, to);
    const [, root] = MEMBER.exec(expected) ?? [];
    if (root === undefined) return false;
    return !lines.some(({ 0: line, index }) => {
      const isOwn = index <= from && to <= index + line.length;
      const given = isOwn ? line.slice(0, from - index) + line.slice(to - index) : line;
      const said = withoutHeads(given);
      return isSaid(said, expected) || isSaid(said, root, '(?!\\s*[.[])');
    });
  };
}

const isSaid = (line: string, name: string, behind = ''): boolean =>
  new RegExp(`(?<![\\w$.])${literally(name)}(?![\\w$])${behind}`).test(line);

/** Without the names that a loop or a function gives. */
function withoutHeads(line: string): string {
  const walks = HEAD.exec(line)?.[0].length;
  const begin = walks === undefined ? 0 : endOutside(bareStatement(line), walks, /:/y);
  const said = line.slice(begin).replaceAll(/\([^()]*\)\s*=>|\bfor\s+[\w\s,()]+\s+in\b/g, '');
  return /["'`]/.test(said) && !/\[\s*["']/.test(said) ? withoutStrings(said) : said;
}
