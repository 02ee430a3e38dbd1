import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { decideDispute } from '../../api/actions.ts';
import { disputesQuery } from '../../api/queries.ts';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { specText } from '../../view/criterion-text.ts';
import { DisputeShown } from '../goal/dispute-form.tsx';
import { AnswerBar } from './answer-bar.tsx';
import { ItemBody, ItemHead, useHold, WaitingCost, WhyItAsks } from './item-head.tsx';
import type { ItemProps } from './item-props.ts';
import { StandingDialog } from './standing-dialog.tsx';
import { useGive } from './use-give.ts';
import { WordsDialog } from './words-dialog.tsx';

/** A criterion that the model disputes, with what the host saw of its counter-example. */
export function DisputeItem({ entry, place, onAnswered, onHold }: ItemProps) {
  const { goal, item } = entry;
  const { goalId } = goal;
  const disputes = useQuery(disputesQuery(goalId));
  const dispute = disputes.data?.find(({ disputeId }) => disputeId === item.itemId);
  const [dialog, setDialog] = useState<'amend' | 'end' | null>(null);
  useHold(onHold, dialog !== null);
  const { give, isBusy, error } = useGive(onAnswered);
  const decide = (decision: 'insist' | 'infeasible', said: string, note?: string) =>
    give({
      said,
      send: (key) =>
        decideDispute(
          goalId,
          item.itemId,
          { decision, ...(note === undefined ? {} : { note }) },
          key,
        ),
    });
  return (
    <>
      <ItemBody>
        <ItemHead entry={entry} />
        {disputes.isPending ? <SkeletonLines label="Loading" widths={[70, 90, 50]} /> : null}
        {disputes.isError && disputes.data === undefined ? (
          <FailedBox
            what="The dispute"
            error={disputes.error}
            onRetry={() => void disputes.refetch()}
          />
        ) : null}
        {dispute === undefined ? null : (
          <>
            <WhyItAsks goalId={goalId} why={dispute.explanation} turn={null} />
            <div className="inbox-disputed">
              <span className="mono text-muted">{dispute.criterionId}</span>
              <p className="mono">{specText(dispute.criterion).what}</p>
              <p className="text-small text-secondary">{specText(dispute.criterion).rule}</p>
            </div>
            <div>
              <h3>Counter-example, run by the host</h3>
              <DisputeShown dispute={dispute} />
            </div>
          </>
        )}
        <WaitingCost entry={entry} />
      </ItemBody>
      <AnswerBar
        isBusy={isBusy || entry.isGone}
        error={dialog === 'end' ? null : error}
        answers={[
          {
            key: '1',
            label: 'Amend the criteria…',
            look: 'keeper',
            onGive: () => setDialog('amend'),
          },
          {
            key: '2',
            label: 'Insist',
            onGive: () => decide('insist', 'Insisted; the goal goes on.'),
          },
          { key: '3', label: 'End as infeasible…', onGive: () => setDialog('end') },
        ]}
      >
        {place}
      </AnswerBar>
      {dialog === 'end' ? (
        <WordsDialog
          title="End this goal as infeasible?"
          text="It is over, and not complete."
          label="Why, for the record"
          confirm="End it: not complete"
          look="danger"
          isBusy={isBusy}
          error={error}
          onSend={(note) => decide('infeasible', 'Ended; it is not complete.', note)}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === 'amend' ? (
        <StandingDialog
          name="criteria"
          goal={goal}
          onClose={() => setDialog(null)}
          onAnswered={onAnswered}
        />
      ) : null}
    </>
  );
}
