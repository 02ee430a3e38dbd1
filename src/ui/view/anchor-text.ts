import type { AnchorState, AnchorVerdict } from '../api/types.ts';
import { plural } from './format.ts';
import type { Tone } from './tone.ts';

type Target = AnchorState['targets'][number];

/** How a place stands to the newest head. */
export function targetState({ size, waiting, error }: Target): { words: string; tone: Tone } {
  if (error !== null) return { words: 'refuses', tone: 'bad' };
  if (waiting > 0) return { words: `${plural(waiting, 'head')} on the way`, tone: 'warn' };
  return size === null ? { words: 'has none yet', tone: '' } : { words: 'current', tone: 'ok' };
}

export function anchorVerdictText({ holds, anchors, faults }: AnchorVerdict): string {
  if (!holds) return `Does not hold: ${plural(faults.length, 'fault')}`;
  if (anchors === 0) return 'There is no anchor to compare with';
  return `The database continues ${anchors === 1 ? 'the one anchor' : `all ${anchors} anchors`}`;
}

/** Nothing to compare with is no green. */
export function anchorVerdictTone({ holds, anchors }: AnchorVerdict): Tone {
  if (!holds) return 'bad';
  return anchors === 0 ? '' : 'ok';
}
