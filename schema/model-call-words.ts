import type { ModelCall } from './model-call.ts';

const KINDS: Readonly<Record<ModelCall['kind'], string>> = {
  turn: 'Call',
  review: 'Review',
  compaction: 'Notes',
};

/** Its name in the list of its turn: reviews have numbers that only machines read. */
export function callName(call: ModelCall, all: readonly ModelCall[]): string {
  const steps = [...new Set(all.filter(({ kind }) => kind === call.kind).map(({ step }) => step))];
  const number = call.kind === 'turn' ? call.step : steps.indexOf(call.step) + 1;
  const again = call.attempt > 1 ? `, try ${call.attempt}` : '';
  return `${KINDS[call.kind]} ${number}${again}`;
}

/** Seconds between request and end; null while it runs. */
export const secondsOf = ({ startedAt, endedAt }: ModelCall): number | null =>
  endedAt === null ? null : (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;

/** What its kind leaves instead of an answer here. */
export function missingAnswer({ state, kind, trouble }: ModelCall): string {
  if (state === 'sent') return 'It is being answered.';
  if (state === 'lost')
    return 'Its worker died before the answer was stored. It was charged by estimate.';
  if (state === 'failed') return trouble ?? 'It ended without an answer.';
  if (kind === 'review') return 'What the reviewer judged stands at its criterion in the gate.';
  return 'The notes were of no use: the host listed the calls instead.';
}

/** The address of one call within its turn. */
export const callKey = ({ kind, step, attempt }: Pick<ModelCall, 'kind' | 'step' | 'attempt'>) =>
  `${kind}-${step}-${attempt}`;
