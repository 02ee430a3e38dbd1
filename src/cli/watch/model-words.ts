import type { Goal } from '../../../schema/goal.ts';
import type { ProgressEvent } from '../progress.ts';
import { oneLine } from '../terminal.ts';
import type { HeardPiece } from './heard-words.ts';

/** From here on, that a model writes nothing is told as such: it may never answer. */
export const QUIET_MS = 30_000;

export const isSilent = (quietMs: number | null): quietMs is number =>
  quietMs !== null && quietMs >= QUIET_MS;

/** What a model does that is asked; how long it does stands behind it. */
export function modelWords(
  { model, fallback }: Pick<Goal, 'model' | 'fallback'>,
  quietMs: number | null,
  isWriting = false,
): string {
  if (isSilent(quietMs)) return `no word of ${oneLine(fallback?.model ?? model, 200)} for`;
  return isWriting ? 'the agent writes' : 'the agent thinks';
}

const STEP_ENDS: ReadonlySet<string> = new Set(['step.committed', 'step.failed', 'turn.settled']);

/** Since when the model of a goal was asked, or wrote last, by what is heard of it. */
export function quietModel() {
  let since: number | null = null;
  return {
    /** Null = it is not asked. */
    since: (): number | null => since,
    hear({ type, at }: Pick<ProgressEvent, 'type' | 'at'>): void {
      if (type === 'step.started') since = Date.parse(at);
      else if (STEP_ENDS.has(type)) since = null;
    },
    hearWords({ text }: Pick<HeardPiece, 'text'>): void {
      if (text !== '') since = Date.now();
    },
  };
}
