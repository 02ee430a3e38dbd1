import { isAscii, paintOfResults } from '../terminal.ts';
import { type Look, lookOf, NARROWEST } from './look.ts';

/** A file or a pipe has no width: lines are as long as on a large terminal. */
const OF_FILES = 120;

/** How results are drawn on stdout. */
export const resultLook = (): Look => ({
  ...lookOf(Math.max(NARROWEST, process.stdout.columns ?? OF_FILES), paintOfResults(), isAscii()),
  isFile: process.stdout.isTTY !== true,
});
