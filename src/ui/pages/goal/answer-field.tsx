import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { answerOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { ApiError } from '../../api/problem.ts';
import type { Goal } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { TextNotes } from '../../components/text-field.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { patchGoal } from '../../live/patch.ts';
import { leaveControls } from '../../shell/keys.ts';
import { useToast } from '../../shell/toasts.tsx';
import { fits } from '../../view/text-length.ts';

/**
 * Sends an answer where its question is read; `said` is what is told of it afterwards. `after` is
 * called also where the question is gone by then.
 */
export function useAnswer<Given>(
  send: (given: Given, key: string) => Parameters<typeof answerOf<Goal>>[0],
  said: (given: Given) => string,
  after: () => void = () => {},
) {
  const client = useQueryClient();
  const toast = useToast();
  const isOffline = useIsOffline();
  const key = useRef(crypto.randomUUID());
  const answer = useAct({
    mutationFn: (given: Given) => answerOf(send(given, key.current)),
    onSuccess: (goal, given) => {
      // Its form goes with the question, and would take the focus along.
      leaveControls();
      patchGoal(client, goal);
      toast(said(given));
      after();
    },
    // Another answer is another request. Somebody else may have given one meanwhile.
    onError: () => {
      key.current = crypto.randomUUID();
      void client.invalidateQueries({ queryKey: keys.inbox });
    },
  });
  return { answer, isBusy: answer.isPending || isOffline };
}

/** A person's words beside the buttons that send them, and why they could not be sent. */
export function AnswerField(props: {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly most: number;
  readonly onText: (text: string) => void;
}) {
  const { label, hint, value, most, onText } = props;
  return (
    <div className="grow">
      <span className="field">
        <input
          aria-label={label}
          aria-invalid={!fits(value, most)}
          placeholder={hint}
          value={value}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      </span>
      <TextNotes text={value} most={most} />
    </div>
  );
}

export function AnswerError({ error }: { readonly error: Error | null }) {
  if (error === null) return null;
  return (
    <p className="field-error" role="alert">
      {wasAnswered(error) ? 'Somebody answered it before you, and that stands.' : error.message}
    </p>
  );
}

const wasAnswered = (error: Error): boolean =>
  error instanceof ApiError && error.problem.code === 'already_answered';
