import { MASK } from './mask.ts';

/**
 * A model that was shown a mask may write it back, which would destroy the secret that it stands
 * for. Null where nothing of that kind happens.
 */
export function whyOverMask(
  before: string,
  after: string,
  mask: (text: string) => string = (text) => text,
): string | null {
  if (countMasks(after) <= countMasks(before) || mask(before) === before) return null;
  return `${MASK} stands for a secret that the host doesn't show: it must not be written in its place. Change the lines around it with edit_file`;
}

const countMasks = (text: string): number => text.split(MASK).length - 1;
