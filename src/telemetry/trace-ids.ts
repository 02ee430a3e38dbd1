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

/** A span elsewhere, by W3C Trace Context. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly traceFlags: number;
}

/** null = none, or one that W3C Trace Context says to leave out. */
export function readTraceparent(header: unknown): TraceContext | null {
  const parts = typeof header === 'string' ? TRACEPARENT.exec(header) : null;
  if (parts === null) return null;
  const [, version = '', traceId = '', spanId = '', flags = '', more] = parts;
  const isZero = /^0+$/.test(traceId) || /^0+$/.test(spanId);
  // Later versions may add parts, the first has these alone.
  const isOne = version !== 'ff' && (version !== '00' || more === undefined);
  return isZero || !isOne ? null : { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{1,400})?$/;

/** W3C Trace Context, for what leaves the service in the goal's name. */
export const traceparentOf = (goalId: string): string =>
  `00-${traceIdOf(goalId)}-${goalSpanIdOf(goalId)}-01`;
