import { isAscii, paintOfResults } from '../terminal.ts';
import { type Look, lookOf, NARROWEST } from './look.ts';

/** A file or a pipe has no width. On a wider terminal the ends of lines stay near to what they end. */
const WIDEST = 120;

/** How results are drawn on stdout. */
export const resultLook = (): Look => ({
  ...lookOf(
    Math.min(WIDEST, Math.max(NARROWEST, process.stdout.columns ?? WIDEST)),
    paintOfResults(),
    isAscii(),
  ),
  isFile: process.stdout.isTTY !== true,
});
