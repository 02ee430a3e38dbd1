import { useState } from 'react';
import { amendGoal } from '../../api/actions.ts';
import { halfMore } from '../../view/inbox-text.ts';
import { nearestLimit } from '../../view/limits.ts';
import type { DialogName } from '../goal/dialogs/goal-dialog.tsx';
import { type Answer, AnswerBar } from './answer-bar.tsx';
import { ItemBody, ItemHead, useHold, WaitingCost, WhyItAsks } from './item-head.tsx';
import type { ItemProps } from './item-props.ts';
import { StandingDialog } from './standing-dialog.tsx';
import { useGive } from './use-give.ts';

/** A goal that reached a limit or stopped for another reason than a question. */
export function StoppedItem({ entry, place, onAnswered, onHold }: ItemProps) {
  const { goal, item } = entry;
  const { pause } = goal;
  const [dialog, setDialog] = useState<DialogName | null>(null);
  useHold(onHold, dialog !== null);
  const { give, isBusy, error } = useGive(onAnswered);
  const open = (key: Answer['key'], label: string, name: DialogName, look?: 'keeper'): Answer => ({
    ...{ key, label, onGive: () => setDialog(name) },
    ...(look === undefined ? {} : { look }),
  });
  const raise = item.kind === 'budget' ? halfMore(goal) : null;
  const answers: readonly Answer[] =
    item.kind === 'pause'
      ? [
          open('1', 'Resume…', 'resume', 'keeper'),
          open('2', 'Say something to it…', 'message'),
          open('3', 'Complete by hand…', 'complete'),
        ]
      : raise === null
        ? [
            open('1', 'Change the budget…', 'budget', 'keeper'),
            open('2', 'Complete by hand…', 'complete'),
          ]
        : [
            {
              key: '1',
              label: raise.label,
              look: 'keeper',
              onGive: () =>
                give({
                  said: 'Budget raised; the goal goes on.',
                  send: (key) =>
                    amendGoal(
                      goal.goalId,
                      { budget: raise.budget, expectedRevision: goal.revision },
                      key,
                    ),
                }),
            },
            open('2', 'Another amount…', 'budget'),
            open('3', 'Complete by hand…', 'complete'),
          ];
  const nearest = nearestLimit(goal);
  return (
    <>
      <ItemBody>
        <ItemHead entry={entry} />
        {pause === undefined || pause.message === '' ? null : (
          <p className="inbox-question pre-wrap">{pause.message}</p>
        )}
        <WhyItAsks goalId={goal.goalId} why={null} turn={null} />
        <dl className="key-values">
          {nearest === null ? null : (
            <>
              <dt>{nearest.label}</dt>
              <dd>
                {nearest.used} of {nearest.allowed} used
              </dd>
            </>
          )}
          {pause === undefined || pause.missing.length === 0 ? null : (
            <>
              <dt>Missing</dt>
              <dd className="mono">{pause.missing.join(' ')}</dd>
            </>
          )}
          <dt>Criteria</dt>
          <dd>
            {goal.criteria.filter(({ state }) => state === 'met').length} of {goal.criteria.length}{' '}
            met
          </dd>
        </dl>
        <WaitingCost entry={entry} />
      </ItemBody>
      <AnswerBar isBusy={isBusy || entry.isGone} error={error} answers={answers}>
        {place}
      </AnswerBar>
      {dialog === null ? null : (
        <StandingDialog
          name={dialog}
          goal={goal}
          onClose={() => setDialog(null)}
          onAnswered={onAnswered}
        />
      )}
    </>
  );
}
