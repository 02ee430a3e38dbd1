import type { Call } from '../api/types.ts';
import type { Tone } from './tone.ts';

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
  if (outcome === 'refused') return { text: 'refused', tone: 'bad' };
  if (outcome === 'unknown') return { text: 'end not seen', tone: 'bad' };
  if (exit !== undefined) {
    return { text: `exit ${exit}`, tone: exit === 0 || isExpected ? 'ok' : 'bad' };
  }
  return outcome === 'failed' ? { text: 'failed', tone: 'bad' } : { text: 'ok', tone: '' };
}

export const isWrite = ({ receipt }: Pick<Call, 'receipt'>): boolean =>
  (receipt?.writes?.length ?? 0) > 0;
