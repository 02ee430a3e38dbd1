import { bareStatement } from '../expected.ts';

/** Of these two a text can be said again, with what its tests expect told. */
export type Recordable = 'js' | 'python';

const WORDS = new Set(
  'true false null undefined None True False NaN Infinity new typeof void not and or in is if else for of await async function return const let var lambda this self yield as'.split(
    ' ',
  ),
);
const NAME = /(?<![\w$])(?<!(?<!\.\.)\.)[A-Za-z_$][\w$]*/g;
const COMPUTED = /`[^`]*\$\{|(?<![\w$])(?:[rbRB]?[fF][rbRB]?)["']/;
/** What a value of an object is called, which is no variable. */
const KEY = /(?<=[{,]\s*)[A-Za-z_$][\w$]*\s*:(?!:)/g;

/** A pattern of JavaScript, where no value stands in front of it. */
const PATTERN = /(?<=(?:^|[(,=:[!&|?{;])\s*)\/(?![/*])(?:\\.|[^\n/\\])+\/[a-z]*/g;

/** Its strings and patterns say nothing, but for strings with values in them. */
export const withoutStrings = (expression: string): string =>
  COMPUTED.test(expression)
    ? expression
    : bareStatement(expression).replaceAll(/"s*"/g, '""').replaceAll(PATTERN, '0');

/** Variables that an expression says. */
export const namesIn = (expression: string): string[] =>
  (withoutStrings(expression).replaceAll(KEY, '').match(NAME) ?? []).filter(
    (name) => !WORDS.has(name),
  );

export const says = (expression: string, names: ReadonlySet<string>): boolean =>
  names.size > 0 && (withoutStrings(expression).match(NAME) ?? []).some((name) => names.has(name));

/** What stands for itself, whatever else runs. */
export const isLiteral = (expression: string): boolean =>
  namesIn(expression).length === 0 && !expression.includes('...');

/** As `endOutside`, towards the front: behind the sign or the bracket. */
export function beginOutside(bare: string, to: number, stops: RegExp): number {
  let depth = 0;
  let begin = to;
  for (; begin > 0; begin--) {
    const sign = bare.charAt(begin - 1);
    if (')]}'.includes(sign)) depth++;
    else if ('([{'.includes(sign)) depth--;
    if (depth < 0 || (depth === 0 && /[,;?:&|=<>]/.test(sign))) break;
  }
  // The last word outside of brackets that begins an expression.
  const part = flat(bare.slice(begin, to));
  for (const found of part.matchAll(new RegExp(stops.source, 'g'))) {
    if (/\w/.test(found[0]))
      begin = Math.max(begin, to - part.length + found.index + found[0].length);
  }
  return begin;
}

function flat(bare: string): string {
  let depth = 0;
  return [...bare]
    .map((sign) => {
      if (')]}'.includes(sign)) depth--;
      const shown = depth > 0 ? '_' : sign;
      if ('([{'.includes(sign)) depth++;
      return shown;
    })
    .join('');
}
