import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { answerQuestion } from '../../api/actions.ts';
import { questionQuery } from '../../api/queries.ts';
import type { Question } from '../../api/types.ts';
import { AttachField } from '../../components/attach-field.tsx';
import { Button, PlainButton } from '../../components/button.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { TextNotes } from '../../components/text-field.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import { useKeys } from '../../shell/keys.ts';
import { type AttachedFile, attachedIn } from '../../view/attached-file.ts';
import { clock } from '../../view/format.ts';
import { fits, MOST_SAID } from '../../view/text-length.ts';
import { AnswerError } from '../goal/answer-field.tsx';
import { placeKey } from './answer-bar.tsx';
import { ItemBody, ItemHead, useHold, WaitingCost, WhyItAsks } from './item-head.tsx';
import type { ItemProps } from './item-props.ts';
import { useGive } from './use-give.ts';

/** A question of the model: one of its options by number, or words. */
export function QuestionItem(props: ItemProps) {
  const { entry, place } = props;
  const { goal, item } = entry;
  const question = useQuery(questionQuery(goal.goalId));
  const [asked, setAsked] = useState<Question | null>(null);
  const { data } = question;
  if (data && data.questionId === item.itemId && data !== asked) setAsked(data);
  const mayAct = useMayAct();
  return (
    <>
      <ItemBody>
        <ItemHead entry={entry} />
        <WhyItAsks goalId={goal.goalId} why={null} turn={null} />
        {question.isPending ? <SkeletonLines label="Loading" widths={[70, 50]} /> : null}
        {question.isError && question.data === undefined ? (
          <FailedBox
            what="The question"
            error={question.error}
            onRetry={() => void question.refetch()}
          />
        ) : null}
        {asked === null ? null : <Answers {...props} question={asked} />}
        <WaitingCost entry={entry} />
      </ItemBody>
      <footer className="inbox-answers">
        <p className="text-small text-muted">
          {mayAct ? 'Press a number, or answer in words.' : 'An operator or an admin answers this.'}
        </p>
        {place}
      </footer>
    </>
  );
}

function Answers({
  entry,
  question,
  onAnswered,
  onHold,
}: ItemProps & { readonly question: Question }) {
  const { goalId } = entry.goal;
  const mayAct = useMayAct();
  const [text, setText] = useState('');
  const [files, setFiles] = useState<readonly AttachedFile[]>([]);
  useHold(onHold, text !== '' || files.length > 0);
  const field = useRef<HTMLInputElement>(null);
  const { give, isBusy, error } = useGive(onAnswered);
  const isReady = text.trim() !== '' && fits(text, MOST_SAID);
  const answer = (given: { text: string } | { option: number }) => {
    if (!mayAct || isBusy) return;
    const body = { questionId: question.questionId, ...given, ...attachedIn(files) };
    give({
      said: 'Answered; the goal goes on.',
      send: (key) => answerQuestion(goalId, body, key),
    });
  };
  const choices = question.options.flatMap((_option, index) => {
    const key = placeKey(index);
    return key === undefined ? [] : [[key, () => answer({ option: index + 1 })] as const];
  });
  useKeys({
    ...Object.fromEntries(choices),
    o: () => field.current?.focus(),
  });
  const { until, default: otherwise } = question;
  return (
    <form
      className="inbox-options"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) answer({ text: text.trim() });
      }}
    >
      {question.text.trim() === entry.item.title ? null : (
        <p className="inbox-question pre-wrap">{question.text}</p>
      )}
      {question.options.map((option, index) => (
        <PlainButton
          key={option}
          className="inbox-option"
          disabled={isBusy || !mayAct}
          onClick={() => answer({ option: index + 1 })}
        >
          <kbd>{index + 1}</kbd>
          <b>{option}</b>
        </PlainButton>
      ))}
      {mayAct ? (
        <AttachField files={files} onFiles={setFiles}>
          <div className="row">
            <span className="field grow">
              <input
                ref={field}
                aria-label="Your answer"
                placeholder="Or answer in words, Enter sends"
                value={text}
                aria-invalid={!fits(text, MOST_SAID)}
                onChange={(event) => setText(event.currentTarget.value)}
              />
              <kbd className="desktop-only">o</kbd>
            </span>
            <Button type="submit" look="keeper" disabled={isBusy || !isReady}>
              Answer
            </Button>
          </div>
          <TextNotes text={text} most={MOST_SAID} />
        </AttachField>
      ) : null}
      <AnswerError error={error} />
      {until === null || otherwise === null ? null : (
        <p className="text-small text-secondary">
          Without an answer by {clock(until)}: “{otherwise}”.
        </p>
      )}
    </form>
  );
}
