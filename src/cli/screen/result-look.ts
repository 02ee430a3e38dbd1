import { isAscii, paintOfResults } from '../terminal.ts';
import { type Look, lookOf, NARROWEST } from './look.ts';

/** A file or a pipe has no width. On a wider terminal the ends of lines stay near to what they end. */
const WIDEST = 120;

/** How results are drawn on stdout. */
export const resultLook = (): Look => lookUpTo(WIDEST);

/** What stands beside each other has all of the terminal. */
export const wholeLook = (): Look => lookUpTo(Number.POSITIVE_INFINITY);

const lookUpTo = (widest: number): Look => ({
  ...lookOf(
    Math.min(widest, Math.max(NARROWEST, process.stdout.columns ?? WIDEST)),
    paintOfResults(),
    isAscii(),
  ),
  isFile: process.stdout.isTTY !== true,
});
