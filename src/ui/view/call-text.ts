import type { Call } from '../api/types.ts';
import type { Tone } from './tone.ts';

type Outcome = NonNullable<Call['outcome']>;

/** How calls end; what nobody saw the end of may have happened. */
export const outcomeWords: Readonly<Record<Outcome, string>> = {
  succeeded: 'ok',
  failed: 'failed',
  refused: 'refused',
  unknown: 'end not seen',
};

/** How it ended: an exit code says more than a word. */
export function callResult({
  outcome,
  receipt,
  settledSeq,
}: Pick<Call, 'outcome' | 'receipt' | 'settledSeq'>): {
  text: string;
  tone: Tone;
} {
  if (settledSeq === null) return { text: 'running', tone: '' };
  if (receipt?.stoppedBy !== undefined) return { text: 'stopped', tone: 'warn' };
  const exit = receipt?.exitCode;
  const isExpected = receipt?.expectFailure === true;
  if (outcome === 'refused') return { text: outcomeWords.refused, tone: 'bad' };
  if (outcome === 'unknown') return { text: outcomeWords.unknown, tone: 'bad' };
  if (exit !== undefined) {
    return { text: `exit ${exit}`, tone: exit === 0 || isExpected ? 'ok' : 'bad' };
  }
  return outcome === 'failed'
    ? { text: outcomeWords.failed, tone: 'bad' }
    : { text: outcomeWords.succeeded, tone: '' };
}

export const isWrite = ({ receipt }: Pick<Call, 'receipt'>): boolean =>
  (receipt?.writes?.length ?? 0) > 0;
