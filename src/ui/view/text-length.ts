import { plural } from './format.ts';

/** Of the words that a person gives with a decision. */
export const MOST_NOTE = 4000;
/** Of a message, and of an answer in words. */
export const MOST_SAID = 20_000;

/** As the service counts: without blanks around it, and pairs of surrogates as one. */
const lengthOf = (text: string): number => [...text.trim()].length;

export const fits = (text: string, most: number): boolean => lengthOf(text) <= most;

/** By how much it is too long; empty = it fits. */
export function excessText(text: string, most: number): string {
  const over = lengthOf(text) - most;
  return over <= 0
    ? ''
    : `Too long by ${plural(over, 'character')}: at most ${most.toLocaleString('en')} are taken.`;
}
