import type { answerOf } from '../../api/client.ts';
import type { Goal } from '../../api/types.ts';
import { useAnswer } from '../goal/answer-field.tsx';

export interface Given {
  readonly send: (key: string) => Parameters<typeof answerOf<Goal>>[0];
  /** What is told of it afterwards. */
  readonly said: string;
}

/** Gives an answer, and goes on once the service took it. */
export function useGive(onAnswered: () => void) {
  const { answer, isBusy } = useAnswer<Given>(
    (given, key) => given.send(key),
    ({ said }) => said,
    onAnswered,
  );
  return {
    isBusy,
    error: answer.error,
    give: (given: Given) => answer.mutate(given),
  };
}
