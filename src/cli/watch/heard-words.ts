import type { TextPiece } from '../../contract/live.ts';
import { printable } from '../terminal.ts';

export type HeardPiece = Omit<TextPiece, 'goalId'>;

export interface SaidLines {
  readonly turn: number;
  readonly lines: readonly string[];
  readonly before: number;
  readonly isWhole: boolean;
  /** The answer is sent again: what was told of it counts no longer. */
  readonly isAgain: boolean;
}

const NOTHING = { place: '', turn: 0, step: 0, text: '', told: 0, isBroken: false };

/**
 * A model's words, told line by line as they are heard, each once. The record has the last word: it
 * tells what was not heard.
 */
export function heardWords() {
  let heard = NOTHING;
  /** Answers that the record told to their end. */
  let ended = { turn: 0, step: 0 };
  const isOver = ({ turn, step }: Pick<HeardPiece, 'turn' | 'step'>): boolean =>
    turn < ended.turn || (turn === ended.turn && step <= ended.step);
  return {
    /** @returns the lines that are whole now; null = nothing is new */
    hear({ turn, step, attempt, start, text }: HeardPiece): SaidLines | null {
      if (isOver({ turn, step })) return null;
      const place = `${turn}.${step}.${attempt}`;
      const isAgain =
        heard.told > 0 && heard.turn === turn && heard.step === step && heard.place !== place;
      if (heard.place !== place) heard = { ...NOTHING, place, turn, step };
      // A later reader is sent the answer from its beginning: what is known of it is left out.
      const fresh = text.slice(Math.max(0, heard.text.length - start));
      if (start > heard.text.length) heard.isBroken = true;
      if (heard.isBroken || fresh === '') return null;
      heard.text += fresh;
      const end = heard.text.lastIndexOf('\n');
      if (end < heard.told) return null;
      const lines = heard.text.slice(heard.told, end).split('\n').map(printable);
      const before = linesIn(heard.text.slice(0, heard.told));
      heard.told = end + 1;
      return { turn, lines, before, isWhole: false, isAgain };
    },
    /** What the record has of an answer beyond what was told. */
    ended(turn: number, step: number, text: string): SaidLines | null {
      ended = { turn, step };
      const told = heard.text.slice(0, heard.told);
      const isHeard = heard.turn === turn && heard.step === step && text.startsWith(told.trimEnd());
      const rest = isHeard ? text.slice(told.length) : text;
      const before = isHeard ? linesIn(told) : 0;
      heard = NOTHING;
      const shown = rest.replace(/\s+$/, '');
      if (shown === '') return null;
      return {
        turn,
        lines: shown.split('\n').map(printable),
        before,
        isWhole: true,
        isAgain: false,
      };
    },
    /** The last line as far as it came. */
    open: (): string => printable(heard.text.slice(heard.told)),
  };
}

const linesIn = (text: string): number => text.split('\n').length - 1;
