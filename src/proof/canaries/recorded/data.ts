import { isCode } from '../../scope/code-files.ts';
import { judgesByName } from '../../scope/judge-like.ts';
import type { Judge } from '../judge.ts';
import { type Literal, lastSign, withLiterals } from '../literals.ts';

/** Of what a value was told to be, the strings, numbers and truths in it; names of members are none. */
export function partsOfValue(said: string): string[] {
  const found: string[] = [];
  const STRING = /s(\d+):/y;
  const MEMBER = /(\d+):/y;
  const OTHER = /(?:number|bigint|int|float|boolean|bool) ([^,})]+)/y;
  const at = (kind: RegExp, from: number) => {
    kind.lastIndex = from;
    return kind.exec(said);
  };
  for (let from = 0; from < said.length; ) {
    const string = at(STRING, from);
    const member = at(MEMBER, from);
    const other = at(OTHER, from);
    if (string !== null) {
      const begin = from + string[0].length;
      from = begin + Number(string[1]);
      if (said.charAt(from) !== '=') found.push(said.slice(begin, from));
    } else if (member !== null) {
      from += member[0].length + Number(member[1]) + 1;
    } else if (other !== null) {
      from += other[0].length;
      found.push(other[1] ?? '');
    } else from++;
  }
  return found;
}

const TRUTHS: Readonly<Record<string, string>> = { true: 'false', false: 'true' };

/** The judge's data with other values wherever one of these stands; no names of members. */
export function withOtherValues(
  { texts, data }: Judge,
  values: ReadonlySet<string>,
): Map<string | null, string> {
  const tables = [...texts, ...data].filter(
    ({ path }) => path !== null && !isCode(path) && judgesByName(path),
  );
  return new Map(
    tables.flatMap(({ path, text }): [string | null, string][] => {
      const literals = [...values].flatMap((value) => placesOf(text, value, values));
      const longest = [...literals].sort((one, other) => other.end - other.at - (one.end - one.at));
      const kept: Literal[] = [];
      for (const one of longest) {
        if (!kept.some(({ at, end }) => one.at < end && at < one.end)) kept.push(one);
      }
      return kept.length === 0 ? [] : [[path, withLiterals(text, kept)]];
    }),
  );
}

function placesOf(text: string, value: string, values: ReadonlySet<string>): Literal[] {
  const said = TRUTHS[value.toLowerCase()] === undefined ? value : value.toLowerCase();
  const other = TRUTHS[said] ?? otherThan(said, values);
  if (other === null) return [];
  const found: Literal[] = [];
  for (let at = text.indexOf(said); at >= 0; at = text.indexOf(said, at + said.length)) {
    const end = at + said.length;
    const isPart = /\w/.test(text.charAt(at - 1)) || /\w/.test(text.charAt(end));
    if (isPart || /^["']\s*:/.test(text.slice(end, end + 20))) continue;
    found.push({ at, end, now: other, isCompared: true });
  }
  return found;
}

/** Another one in the place of its last sign, or one more of them, that is none of these. */
function otherThan(said: string, values: ReadonlySet<string>): string | null {
  const [sign] = lastSign(said);
  if (sign === undefined) return null;
  const last = said.slice(sign.at, sign.end);
  const signs = /\d/.test(last) ? '123456789' : 'abcdefghijklmnopqrstuvwxyz';
  const others = [...signs].filter((one) => one !== last);
  const made = [...others, ...[...signs].map((one) => last + one)].map(
    (one) => said.slice(0, sign.at) + one + said.slice(sign.end),
  );
  return made.find((one) => !values.has(one)) ?? null;
}
