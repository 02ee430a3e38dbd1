import { comparedRows } from '../../../schema/compared-turns.ts';
import { broken, line, padded, shownIn, wrapped } from '../screen/fit.ts';
import { formOf, inAscii, type Look } from '../screen/look.ts';
import { compact, dollars, lasting } from '../screen/units.ts';
import { oneLine, printable } from '../terminal.ts';
import type { ReadTurn } from './read-turn.ts';
import type { Section } from './request-text.ts';
import { type Reasons, storyLines } from './turn-view.ts';

/** Of both turns in their order. */
export type Both<Value> = readonly [Value, Value];

const NAMES = 16;
const BETWEEN = 3;

/** From 100 columns on both sides stand beside each other; in files and below, one after the other. */
export const isBeside = (look: Look): boolean => !look.isFile && formOf(look) !== 'narrow';

const columnOf = (look: Look, names = 0): Look => ({
  ...look,
  width: Math.floor((look.width - names - BETWEEN) / 2),
});

/** Two turns fact by fact, with what was said and done in each. */
export function comparedTurns(both: Both<ReadTurn>, why: Both<Reasons>, look: Look): string[] {
  const lines = isBeside(look) ? tableLines(both, why, look) : listLines(both, why, look);
  return look.isFile ? lines : lines.map(shownIn(look));
}

const FORMS = { compact, dollars, duration: lasting };
const rowsOf = ([left, right]: Both<ReadTurn>) => comparedRows(left, right, FORMS);

const titleOf = ({ turn }: ReadTurn): string => `Turn ${turn.turn}`;

/** Facts that differ have a sign, whatever the colours. */
const differs = (isSo: boolean, look: Look): string => {
  const sign = look.isAscii ? '!' : '≠';
  return isSo ? sign : ' ';
};

function tableLines(both: Both<ReadTurn>, why: Both<Reasons>, look: Look): string[] {
  const { paint } = look;
  const column = columnOf(look, NAMES);
  const named = (name: string, isOther: boolean, lines: readonly string[]): string[] =>
    lines.map((text, index) => {
      const head = index === 0 ? `${differs(isOther, look)} ${name}` : '';
      return paint.dim(padded(head, NAMES)) + text;
    });
  const titles = both.map((one) => [paint.acting(titleOf(one))]);
  const rows = rowsOf(both).flatMap(({ name, values, differs: isOther }) => {
    const tint = isOther ? (text: string) => text : paint.dim;
    const cells = values.map((text) => wrapped(oneLine(text, 2000), column.width).map(tint));
    return named(name, isOther, beside(asBoth(cells), column));
  });
  const stories = both.map((one, side) => storyLines(one, why[side] ?? new Map(), column));
  return [
    ...named('', false, beside(asBoth(titles), column)),
    ...rows,
    ...named('Story', false, beside(asBoth(stories), column)),
  ];
}

function listLines(both: Both<ReadTurn>, why: Both<Reasons>, look: Look): string[] {
  const { paint } = look;
  const rows = rowsOf(both);
  return both.flatMap((one, side) => [
    ...(side === 0 ? [] : ['']),
    paint.acting(titleOf(one)),
    ...rows.flatMap(({ name, values, differs: isOther }) => {
      const head = `${differs(isOther, look)} ${name}`.padEnd(NAMES);
      const [first = '', ...more] = wrapped(oneLine(values[side] ?? '', 2000), broken(look, NAMES));
      return [paint.dim(head) + first, ...more.map((text) => ' '.repeat(NAMES) + text)];
    }),
    ...storyLines(one, why[side] ?? new Map(), look),
  ]);
}

const asBoth = <Value>([left, right]: readonly Value[]): Both<Value> =>
  [left, right] as unknown as Both<Value>;

/** Lines of two sides, each broken to its column before. */
function beside([left, right]: Both<readonly string[]>, column: Look): string[] {
  const bar = column.paint.dim(column.isAscii ? '|' : '│');
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const [one = '', other = ''] = [left[index], right[index]];
    return `${padded(one, column.width)} ${bar} ${other}`.trimEnd();
  });
}

/** Two texts beside each other, or one after the other; no line of theirs is cut. */
export function comparedTexts(
  titles: Both<string>,
  texts: Both<readonly string[]>,
  look: Look,
): string[] {
  const { paint } = look;
  if (!isBeside(look)) {
    const all = titles.flatMap((title, side) => [
      ...(side === 0 ? [] : ['']),
      paint.acting(title),
      ...(texts[side] ?? []),
    ]);
    return look.isAscii ? all.map(inAscii) : all;
  }
  const column = columnOf(look);
  const broke = texts.map((lines) =>
    lines.flatMap((text) => wrapped(text.replaceAll('\t', '  '), column.width)),
  );
  const heads = titles.map((title) => [paint.acting(title)]);
  return [...beside(asBoth(heads), column), ...beside(asBoth(broke), column)].map(shownIn(look));
}

/** Parts of two requests; those that both begin with are told once, by their size. */
export function comparedSections(
  titles: Both<string>,
  sections: Both<readonly Section[]>,
  look: Look,
): string[] {
  const [left, right] = sections;
  const first = left.findIndex(
    (one, index) => one.title !== right[index]?.title || one.text !== right[index]?.text,
  );
  const shared = first < 0 ? left.length : first;
  const same = left
    .slice(0, shared)
    .map(({ title, text }) =>
      line(look, [
        { text: `== ${printable(title)}`, gives: true },
        { text: `  the same in both, ${compact(text.length)} characters` },
      ]),
    );
  const rest = sections.map((all) =>
    all.slice(shared).flatMap(({ title, text }) => [`== ${title}`, ...text.split('\n'), '']),
  );
  return [...same.map(look.paint.dim), ...comparedTexts(titles, asBoth(rest), look)];
}
