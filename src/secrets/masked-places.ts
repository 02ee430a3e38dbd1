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

/**
 * The stored form of these arguments would never be met, because the host compares with what it
 * stored or runs it. Null where none of them holds a secret.
 */
export function whyNotKept(
  args: object,
  mask: (text: string) => string = (text) => text,
): string | null {
  const field = Object.entries(args).find(([, value]) => holdsSecret(value, mask))?.[0];
  return field === undefined
    ? null
    : `${field}: it holds a secret, which is never stored, so this could never be met. Let the command read the secret from a file, or from an environment variable that a file sets`;
}

function holdsSecret(value: unknown, mask: (text: string) => string): boolean {
  if (typeof value === 'string') return mask(value) !== value;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => holdsSecret(inner, mask));
}

const countMasks = (text: string): number => text.split(MASK).length - 1;
