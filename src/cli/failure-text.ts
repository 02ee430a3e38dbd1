import type { Failure } from './failure.ts';
import { broken, wrapped } from './screen/fit.ts';
import type { Look } from './screen/look.ts';
import { printable } from './terminal.ts';

const FIELDS = 11;

/** What failed, where, and what to do, for whoever reads stderr; broken between words at a terminal. */
export function failureLines(
  { what, field, wayOut }: Pick<Failure, 'what' | 'field' | 'wayOut'>,
  look: Look,
): string[] {
  const { bad } = look.paint;
  const behind = (indent: number) => (text: string) =>
    look.isFile ? text : ' '.repeat(indent) + text;
  const named = (name: string, text: string) => {
    const [first = '', ...more] = wrapped(printable(text), broken(look, FIELDS));
    return [`  ${name.padEnd(FIELDS - 2)}${first}`, ...more.map(behind(FIELDS))];
  };
  const [first = '', ...more] = wrapped(`goalkeeper: ${printable(what)}`, broken(look, 2));
  return [
    first.replace(/^goalkeeper:/, (name) => bad(name)),
    ...more.map(behind(2)),
    ...(field === null ? [] : named('field:', field)),
    ...named('way out:', wayOut),
  ];
}
