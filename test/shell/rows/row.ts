import type { MatchKind } from '../../../src/shell/compare/match.ts';

/** What is cited, what ran (exit code as expected), the verdict, and why it is the right one. */
export type Row = readonly [cited: string, ran: string, kind: MatchKind, why: string];
