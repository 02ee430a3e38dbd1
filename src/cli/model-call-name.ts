import { InvalidArgumentError } from 'commander';

/** One of the model calls of a turn. */
export interface ModelCallName {
  readonly kind: string;
  readonly step: number;
  readonly attempt: number;
}

/** As the list names a call: `turn.2.1`. */
export function modelCallName(text: string): ModelCallName {
  const [, kind = '', step, attempt = '1'] =
    /^(turn|review|compaction)\.(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (step === undefined)
    throw new InvalidArgumentError(
      'Give it as the list does: turn.2.1 is the first try of step 2.',
    );
  return { kind, step: Number(step), attempt: Number(attempt) };
}
