/** A piece of a model's answer, and its offset in the answer in characters. */
export interface TextPiece {
  readonly goalId: string;
  readonly turn: number;
  readonly step: number;
  readonly attempt: number;
  readonly start: number;
  readonly text: string;
  /** The answer is over, so the record's text replaces it. */
  readonly isEnd?: boolean;
}

/** The received text of one model call so far. */
export interface Said {
  readonly turn: number;
  readonly step: number;
  readonly attempt: number;
  /** Characters before the text that were not heard, or are shown no longer. */
  readonly start: number;
  readonly text: string;
  readonly isEnd: boolean;
  readonly heardAt: number;
}

/** The newest part is what one wants to read. */
const MOST_SHOWN = 24_000;

/** The running answer with one piece more; older answers' pieces change nothing. */
export function withPiece(known: Said | null, piece: TextPiece, now: number): Said | null {
  const { turn, step, attempt, start, text, isEnd = false } = piece;
  const order = known === null ? 1 : orderOf(piece) - orderOf(known);
  if (order < 0) return known;
  const fresh = { turn, step, attempt, isEnd, heardAt: now };
  if (known === null || order > 0) return shortened({ ...fresh, start, text });
  const end = known.start + known.text.length;
  // The text is sent again from its start for a later reader.
  if (start <= known.start) {
    const isLonger = start + text.length >= end;
    return isLonger
      ? shortened({ ...fresh, start, text })
      : { ...known, heardAt: now, isEnd: known.isEnd || isEnd };
  }
  // The text in between was sent but not received.
  if (start > end) return shortened({ ...fresh, start, text });
  const added = text.slice(Math.max(0, end - start));
  return shortened({ ...fresh, start: known.start, text: known.text + added });
}

const orderOf = ({ turn, step, attempt }: Pick<Said, 'turn' | 'step' | 'attempt'>): number =>
  (turn * 1e5 + step) * 1e3 + attempt;

function shortened(said: Said): Said {
  const over = said.text.length - MOST_SHOWN;
  if (over <= 0) return said;
  return { ...said, start: said.start + over, text: said.text.slice(over) };
}

type Listener = () => void;

/** Beside the query cache: it changes many times a second, and nothing of it is asked for. */
export function createLiveTexts() {
  const said = new Map<string, Said>();
  const listeners = new Set<Listener>();
  return {
    hear(piece: TextPiece): void {
      const next = withPiece(said.get(piece.goalId) ?? null, piece, Date.now());
      if (next !== null) said.set(piece.goalId, next);
      for (const listener of listeners) listener();
    },
    of: (goalId: string): Said | null => said.get(goalId) ?? null,
    subscribe(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type LiveTexts = ReturnType<typeof createLiveTexts>;
