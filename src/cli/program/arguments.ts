import { InvalidArgumentError } from 'commander';

export const goalId = 'id of the goal, or a unique beginning of it';

export function turnNumbers(
  text: string,
  before: readonly number[] | undefined,
): readonly number[] {
  return [...(before ?? []), turnNumber(text)];
}

export function turnNumber(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give the number of a turn.');
}
