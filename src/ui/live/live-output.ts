import { emptyScreen, printed, type Screen } from '../../../schema/terminal-rows.ts';

/** New output of a running command. */
export interface OutputPiece {
  readonly goalId: string;
  readonly turn: number;
  readonly callId: string;
  readonly text: string;
  /** When this run of the call was first heard, in milliseconds: a repeated call begins anew. */
  readonly began: number;
  /** Characters that were printed before the text; a gap means that some were left out. */
  readonly start: number;
}

/** What was heard of a command that runs, or ran a moment ago. */
export interface Printed {
  readonly goalId: string;
  readonly callId: string;
  readonly began: number;
  /** Characters that were printed so far, also those that were not heard. */
  readonly end: number;
  readonly screen: Screen;
  readonly heardAt: number;
}

/** Commands whose output is kept in the page; the record has all. */
const MOST_KEPT = 4;

/** The output with one piece more. What is told again, or late, changes nothing. */
export function withOutput(known: Printed | null, piece: OutputPiece, now: number): Printed {
  const { goalId, callId, began, start, text } = piece;
  const end = start + text.length;
  if (known !== null && (began < known.began || (began === known.began && end <= known.end)))
    return known;
  const isSame = known?.began === began;
  const [from, screen] = isSame ? [known.end, known.screen] : [0, emptyScreen];
  const fresh = text.slice(Math.max(0, from - start));
  const shown = printed(screen, fresh, start > from);
  return { goalId, callId, began, end, screen: shown, heardAt: now };
}

type Call = Pick<OutputPiece, 'goalId' | 'callId'>;

const isOf =
  ({ goalId, callId }: Call) =>
  (one: Call): boolean =>
    one.goalId === goalId && one.callId === callId;

type Listener = () => void;

/**
 * Beside the query cache, as the model's words are. Readers are told once a frame at the most, so
 * that no amount of output draws more often; what is kept is bounded also while nobody looks.
 */
export function createLiveOutputs(nextFrame: (act: () => void) => void = frame) {
  let kept: readonly Printed[] = [];
  let isTold = true;
  const listeners = new Set<Listener>();
  const tell = () => {
    isTold = true;
    for (const listener of listeners) listener();
  };
  return {
    hear(piece: OutputPiece): void {
      const known = kept.find(isOf(piece)) ?? null;
      const next = withOutput(known, piece, Date.now());
      if (next === known) return;
      kept = [...kept.filter((one) => one !== known), next].slice(-MOST_KEPT);
      if (!isTold) return;
      isTold = false;
      nextFrame(tell);
    },
    of: (goalId: string, callId: string): Printed | null =>
      kept.find(isOf({ goalId, callId })) ?? null,
    subscribe(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type LiveOutputs = ReturnType<typeof createLiveOutputs>;

/** A hidden page draws no frames, and has nothing to draw. */
function frame(act: () => void): void {
  requestAnimationFrame(act);
}
