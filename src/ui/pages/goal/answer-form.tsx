import { type FormEvent, useState } from 'react';
import { answerQuestion } from '../../api/actions.ts';
import type { Goal, Question } from '../../api/types.ts';
import { AttachField } from '../../components/attach-field.tsx';
import { Button } from '../../components/button.tsx';
import { type AttachedFile, attachedIn } from '../../view/attached-file.ts';
import { clock } from '../../view/format.ts';
import { fits, MOST_SAID } from '../../view/text-length.ts';
import { AnswerError, AnswerField, useAnswer } from './answer-field.tsx';

/** A question, answered where it is read: by one of its options or in words. */
export function AnswerForm({
  goal,
  question,
}: {
  readonly goal: Goal;
  readonly question: Question;
}) {
  const [text, setText] = useState('');
  const [files, setFiles] = useState<readonly AttachedFile[]>([]);
  const { answer: send, isBusy } = useAnswer(
    (answer: { text: string } | { option: number }, key) =>
      answerQuestion(
        goal.goalId,
        { questionId: question.questionId, ...answer, ...attachedIn(files) },
        key,
      ),
    () => 'Answered; the goal goes on.',
  );
  const isReady = text.trim() !== '' && fits(text, MOST_SAID);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) send.mutate({ text: text.trim() });
  };
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
        <AttachField files={files} onFiles={setFiles}>
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
            <AnswerField
              label="Your answer"
              hint="Answer in your words"
              value={text}
              most={MOST_SAID}
              onText={setText}
            />
            <Button type="submit" look="keeper" disabled={isBusy || !isReady}>
              {send.isPending ? 'Answering…' : 'Answer'}
            </Button>
          </div>
        </AttachField>
        <AnswerError error={send.error} />
      </div>
    </form>
  );
}
