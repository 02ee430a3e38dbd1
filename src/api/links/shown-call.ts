import type { Approval } from '../../../schema/approval.ts';

/** A text of a call under the name of its place, such as `edits.0.oldText`. */
export interface ShownText {
  readonly place: string;
  readonly text: string;
}

/** All that a call says, each text as it is. */
export const shownTexts = ({ data }: Pick<Approval, 'data'>): ShownText[] =>
  textsOf('', data.arguments);

/** The store cuts long arguments and says so behind them; what is cut is not what would run. */
export const shownWhole = (approval: Pick<Approval, 'data'>): boolean =>
  shownTexts(approval).every(({ text }) => !/… \(\d+ characters\)$/.test(text));

function textsOf(place: string, value: unknown): ShownText[] {
  if (typeof value !== 'object' || value === null)
    return [{ place, text: typeof value === 'string' ? value : JSON.stringify(value ?? null) }];
  return Object.entries(value).flatMap(([name, one]) =>
    textsOf(place === '' ? name : `${place}.${name}`, one),
  );
}
