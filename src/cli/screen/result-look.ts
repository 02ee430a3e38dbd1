import { isAscii, paintOfResults, processTerminal } from '../terminal.ts';
import { goalLinkOn } from './goal-link.ts';
import { type Look, lookOf, NARROWEST } from './look.ts';

/** A file or a pipe has no width. On a wider terminal the ends of lines stay near to what they end. */
const WIDEST = 120;

/** How results are drawn on stdout. */
export const resultLook = (): Look => lookUpTo(WIDEST);

/** What stands beside each other has all of the terminal. */
export const wholeLook = (): Look => lookUpTo(Number.POSITIVE_INFINITY);

const lookUpTo = (widest: number): Look => ({
  ...lookOf(
    widthOf(process.stdout, NARROWEST, widest),
    paintOfResults(),
    isAscii(),
    goalLinkOn(process.stdout),
  ),
  isFile: process.stdout.isTTY !== true,
});

/** How what went wrong is drawn on stderr; words are broken wherever its terminal ends. */
export const errorLook = (): Look => ({
  ...lookOf(widthOf(process.stderr, LEAST, WIDEST), processTerminal().paint, isAscii()),
  isFile: process.stderr.isTTY !== true,
});

const LEAST = 32;

function widthOf(stream: { readonly columns?: number }, least: number, most: number): number {
  return Math.min(most, Math.max(least, stream.columns ?? WIDEST));
}
