import { type Paint, plain } from '../terminal.ts';
import { type GoalLink, unlinked } from './goal-link.ts';

/** What stands for a state where no colour does. */
export interface Signs {
  readonly proved: string;
  readonly met: string;
  readonly holds: string;
  readonly stale: string;
  readonly doing: string;
  readonly open: string;
  readonly failed: string;
  readonly you: string;
  readonly acting: string;
  readonly goal: string;
  readonly accepted: string;
}

export type SignName = keyof Signs;

const SIGNS: Signs = {
  ...{ proved: '✔', met: '≈', holds: '‖', stale: '◔', doing: '◐', open: '○', failed: '✖' },
  ...{ you: '!', acting: '▶', goal: '◆', accepted: '☺' },
};

const IN_ASCII: Signs = {
  ...{ proved: '[x]', met: '[~]', holds: '[=]', stale: '[s]', doing: '[/]', open: '[ ]' },
  ...{ failed: '[!]', you: 'YOU', acting: '>', goal: '*', accepted: '[p]' },
};

/** How lines are drawn: for whom, and how wide. */
export interface Look {
  readonly width: number;
  readonly paint: Paint;
  readonly signs: Signs;
  readonly isAscii: boolean;
  /** Lines go to a file or a pipe: words are not broken in several. */
  readonly isFile: boolean;
  readonly goalLink: GoalLink;
}

export const lookOf = (
  width: number,
  paint: Paint = plain,
  isAscii = false,
  goalLink: GoalLink = unlinked,
): Look => ({
  ...{ width, paint, isAscii, goalLink, isFile: false },
  signs: isAscii ? IN_ASCII : SIGNS,
});

/** A form is drawn for its own width and all up to the next one. */
export type Form = 'narrow' | 'usual' | 'wide';

/** Below this many columns lines are plain. */
export const NARROWEST = 60;
const USUAL = 100;
const WIDE = 160;

export const formOf = ({ width }: Pick<Look, 'width'>): Form => {
  if (width < USUAL) return 'narrow';
  return width < WIDE ? 'usual' : 'wide';
};

const WORDS_IN_ASCII: readonly [RegExp, string][] = [
  ...([
    [/…/g, '...'],
    [/[─━]/g, '-'],
    [/│/g, '|'],
    [/−/g, '-'],
    [/≈/g, '~'],
  ] as const),
  ...([
    [/→/g, '->'],
    [/↑/g, '^'],
    [/↓/g, 'v'],
    [/↵/g, 'Enter'],
    [/[█]/g, '#'],
    [/░/g, '.'],
  ] as const),
].map(([from, to]) => [from, to]);

/** Paints the id of a goal, however much of it is shown. */
export const goalPaint =
  ({ paint, goalLink }: Look, goalId: string) =>
  (shown: string): string =>
    goalLink(paint.acting(shown), goalId);

/** Where a narrow screen has no room for all of an id, its beginning names the goal as well. */
export const shortId = (goalId: string, look: Pick<Look, 'width'>): string =>
  formOf(look) === 'narrow' ? goalId.slice(0, 8) : goalId;

/** Signs in ASCII; letters of other languages stay as they are. */
export const inAscii = (text: string): string =>
  WORDS_IN_ASCII.reduce((shown, [from, to]) => shown.replace(from, to), text);
