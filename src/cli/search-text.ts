import type { Found } from '../../schema/search.ts';
import { line } from './screen/fit.ts';
import { goalPaint, type Look } from './screen/look.ts';
import { oneLine } from './terminal.ts';

interface Shown {
  readonly words: string;
  readonly items: readonly Found[];
  /** There are older goals that nobody looked at. */
  readonly hasMore: boolean;
}

const LONGEST = 400;

/** Each goal with its turns and calls, and the command that shows more of each. */
export function foundLines({ words, items, hasMore }: Shown, look: Look): string[] {
  const { paint } = look;
  const more = hasMore ? [paint.dim('Older goals were not looked at: raise --limit.')] : [];
  if (items.length === 0) return [`Nothing holds ${JSON.stringify(words)}.`, ...more];
  const lines = items.flatMap(({ goal, turns, calls }) => [
    line(look, [
      { text: goal.goalId, paint: goalPaint(look, goal.goalId) },
      { text: `  ${oneLine(goal.objective, LONGEST)}`, gives: true },
    ]),
    ...turns.map(({ turn, text }) =>
      line(look, [
        { text: `  turn ${turn}  `, paint: paint.dim },
        { text: oneLine(text, LONGEST), gives: true },
      ]),
    ),
    ...calls.map(({ seq, tool, text }) =>
      line(look, [
        { text: `  #${seq} ${oneLine(tool, 40)}  `, paint: paint.dim },
        { text: oneLine(text, LONGEST), gives: true },
      ]),
    ),
  ]);
  return [...lines, ...more];
}
