import { createHash } from 'node:crypto';

const hex = (text: string, digits: number): string =>
  createHash('sha256').update(`goalkeeper ${text}`).digest('hex').slice(0, digits);

/**
 * A goal is one trace, however many workers and weeks it takes: its ids follow from the goal's own,
 * so that nothing has to be kept, and a turn that another worker goes on with stays one span.
 */
export const traceIdOf = (goalId: string): string => hex(goalId, 32);
export const goalSpanIdOf = (goalId: string): string => hex(`${goalId} goal`, 16);
export const turnSpanIdOf = (goalId: string, turn: number): string =>
  hex(`${goalId} turn ${turn}`, 16);
export const spanIdOf = (goalId: string, what: string): string => hex(`${goalId} ${what}`, 16);

/** W3C Trace Context, for what leaves the service in the goal's name. */
export const traceparentOf = (goalId: string): string =>
  `00-${traceIdOf(goalId)}-${goalSpanIdOf(goalId)}-01`;
