import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { answerQuestion } from '../../api/actions.ts';
import { answerOf } from '../../api/client.ts';
import type { Goal, Question } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { patchGoal } from '../../live/patch.ts';
import { useToast } from '../../shell/toasts.tsx';
import { clock } from '../../view/format.ts';

/** A question, answered where it is read: by one of its options or in words. */
export function AnswerForm({
  goal,
  question,
}: {
  readonly goal: Goal;
  readonly question: Question;
}) {
  const client = useQueryClient();
  const toast = useToast();
  const isOffline = useIsOffline();
  const [text, setText] = useState('');
  const key = useRef(crypto.randomUUID());
  const send = useMutation({
    mutationFn: (answer: { text: string } | { option: number }) => {
      const body = { questionId: question.questionId, ...answer };
      return answerOf(answerQuestion(goal.goalId, body, key.current));
    },
    onSuccess: (after) => {
      patchGoal(client, after);
      toast('Answered; the goal goes on.');
    },
    // Another answer is another request.
    onError: () => {
      key.current = crypto.randomUUID();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') send.mutate({ text: text.trim() });
  };
  const isBusy = send.isPending || isOffline;
  return (
    <form className="ask-bar with-question" aria-label="Waiting for you" onSubmit={submit}>
      <span className="tag tone-keeper">You</span>
      <div className="grow">
        <p className="ask-question">{question.text}</p>
        {question.until === null || question.default === null ? null : (
          <p className="text-small text-secondary">
            Without an answer by {clock(question.until)}: “{question.default}”.
          </p>
        )}
        <div className="row wrap ask-answers">
          {question.options.map((option, index) => (
            <Button
              key={option}
              isSmall
              disabled={isBusy}
              onClick={() => send.mutate({ option: index + 1 })}
            >
              {option}
            </Button>
          ))}
          <span className="field grow">
            <input
              aria-label="Your answer"
              placeholder="Answer in your words"
              value={text}
              maxLength={20_000}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          </span>
          <Button type="submit" look="keeper" disabled={isBusy || text.trim() === ''}>
            {send.isPending ? 'Answering…' : 'Answer'}
          </Button>
        </div>
        {send.isError ? (
          <p className="field-error" role="alert">
            {send.error.message}
          </p>
        ) : null}
      </div>
    </form>
  );
}
