import type { Goal } from '../api/types.ts';

export const statusWords: Readonly<Record<Goal['status'], string>> = {
  active: 'Active',
  paused: 'Paused',
  budget_limited: 'Budget limited',
  complete: 'Complete',
};

/** In the middle of a sentence. */
export const statusInText = (status: Goal['status']): string => statusWords[status].toLowerCase();
