import { printable } from './foreign-text.ts';

/**
 * Words of others as Markdown: they stand in code alone, where nothing of them is a heading, a link,
 * a picture or a mention.
 */

const SHOWN = 20;

/** GitHub takes 65,536 characters. */
const MOST_CHARACTERS = 60_000;

export const cut = (text: string): string =>
  text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 40)}\n\n… (cut)`;

export function namesOf(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const rest = names.length - SHOWN;
  const shown = names.slice(0, SHOWN).map((name) => code(name));
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** One line of code, whatever is in it. */
export function code(text: string): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim().slice(0, 600) || ' ';
  const ticks = '`'.repeat(longest(line) + 1);
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** A bar would end a table's cell even in code. */
export const cell = (text: string): string => code(text.replaceAll('|', '¦'));

export function fenced(text: string, language: 'text' | 'diff'): string {
  const body = printable(text);
  const fence = '`'.repeat(Math.max(3, longest(body) + 1));
  return `${fence}${language}\n${body}\n${fence}`;
}

const longest = (text: string): number =>
  Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
