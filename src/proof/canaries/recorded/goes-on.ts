import { bareStatement } from '../expected.ts';
import { endOfLine, endOfStatement, headersAround, startsOfLines } from '../lines.ts';
import { endOutside } from '../spans.ts';
import type { Edit } from './edits.ts';
import type { WorkNames } from './from-work.ts';
import { headOf } from './head.ts';
import { type Recordable, says } from './names.ts';
import { WALKERS } from './walkers.ts';

/*
 * Where nothing is the work's no answer is right. So what reports that, ends the process for it, or
 * walks no further, does not, and all that is compared is told.
 */

const REPORTS: Readonly<Record<Recordable, readonly [RegExp, string]>> = {
  js: [/(?<![\w$.])throw(?=\s)/g, 'void'],
  python: [/(?<![\w.])raise(?=\s+\w)(?!.*\sfrom\s)/g, '0,'],
};
const ENDS: Readonly<Record<Recordable, RegExp>> = {
  js: /(?<![\w$.])process\.(?:exit(?=\s*\()|(?=exitCode\s*=(?![=>])))/g,
  python: /(?<![\w.])(?:sys\.)?exit(?=\()/g,
};
const DECIDES = /(?:^|[\s}])(?:if|elif|else|switch|case|default|match)\b/;
const REFUSES = /(?:^|[\s}])(?:else|default|case\s+_)\b/;

/** @param nothing an expression that lets all be done with it */
export function goesOn(
  text: string,
  language: Recordable,
  { names, filled }: WorkNames,
  nothing: string,
): Edit[] {
  if (names.size === 0) return [];
  const isOfWork = (said: string) => says(said, names) || says(said, filled);
  const decides = (line: string) => DECIDES.test(line) && (isOfWork(line) || REFUSES.test(line));
  const found: Edit[] = [];
  for (const begin of startsOfLines(text)) {
    const bare = bareStatement(text.slice(begin, endOfLine(text, begin)));
    const [report, now] = REPORTS[language];
    for (const { index, 0: all } of bare.matchAll(report)) {
      const at = begin + index;
      const head = headOf(text, begin);
      const isOwn = decides(head === '' ? bare.slice(0, index) : head);
      if (isOwn || decides(headersAround(text, begin)[0] ?? ''))
        found.push({ at, end: at + all.length, now });
    }
    const statement = bareStatement(text.slice(begin, endOfStatement(text, begin)));
    for (const { index, 0: all, 1: method, 2: name = method ?? '' } of bare.matchAll(WALKERS)) {
      const from = index + all.length;
      const said = text.slice(begin + from, begin + endOutside(statement, from, /$/y));
      if (name === 'next' || !isOfWork(said)) continue;
      const at = begin + index + all.indexOf(name);
      const now = method === undefined ? 'all' : 'map';
      found.push({ at, end: at + name.length, now });
    }
    for (const { index, 0: all } of bare.matchAll(ENDS[language])) {
      const at = begin + index;
      found.push({ at, end: at + all.length, now: nothing + (all.endsWith('.') ? '.' : '') });
    }
  }
  return found;
}
