import { useQuery } from '@tanstack/react-query';
import { approvalsQuery, questionQuery } from '../../api/queries.ts';
import type { Goal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Since } from '../../components/since.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import { nextAct } from '../../view/actor.ts';
import { approvalSubject } from '../../view/approval-text.ts';
import { AnswerForm } from './answer-form.tsx';
import type { DialogName } from './dialogs/goal-dialog.tsx';
import { DisputeForm } from './dispute-form.tsx';

/** Open decisions for the user with their actions, on every tab of the goal. */
export function AskBar(props: {
  readonly goal: Goal;
  readonly onDialog: (name: DialogName) => void;
}) {
  const { goal, onDialog } = props;
  const mayAct = useMayAct();
  const isOffline = useIsOffline();
  const waits = nextAct(goal, mayAct).kind === 'you';
  const approvals = useQuery({ ...approvalsQuery(goal.goalId), enabled: waits });
  const hasQuestion = waits && goal.pause?.questionId !== undefined;
  const question = useQuery({ ...questionQuery(goal.goalId), enabled: hasQuestion });
  if (!waits) return null;
  const open = approvals.data ?? [];
  const [first] = open;
  if (first !== undefined) {
    const subject = approvalSubject(first);
    return (
      <section className="ask-bar" aria-label="Waiting for you">
        <span className="tag tone-keeper">You</span>
        <span className="grow">
          <b>Approve</b>{' '}
          {subject === null ? first.question : <span className="mono">{subject}</span>}{' '}
          <span className="text-secondary">
            asked <Since at={first.createdAt} suffix=" ago" />, turn {first.turn}
            {open.length > 1 ? `, and ${open.length - 1} more` : ''}
          </span>
        </span>
        <Button look="keeper" disabled={isOffline} onClick={() => onDialog('approve')}>
          Review and decide <kbd className="desktop-only">a</kbd>
        </Button>
      </section>
    );
  }
  if (hasQuestion && question.data) {
    return <AnswerForm key={question.data.questionId} goal={goal} question={question.data} />;
  }
  if (goal.pause?.reason === 'disputed') {
    return (
      <DisputeForm key={goal.pause.disputeId} goal={goal} onAmend={() => onDialog('criteria')} />
    );
  }
  return (
    <section className="ask-bar" aria-label="Waiting for you">
      <span className="tag tone-keeper">You</span>
      <span className="grow">
        <b>{firstUpper(nextAct(goal, true).reason)}</b>{' '}
        <span className="text-secondary">
          {messageOf(goal)} since <Since at={goal.pause?.since ?? goal.activity.since} />
        </span>
      </span>
      {goal.status === 'budget_limited' ? (
        <Button look="keeper" disabled={isOffline} onClick={() => onDialog('budget')}>
          Raise budget
        </Button>
      ) : (
        <Button look="keeper" disabled={isOffline} onClick={() => onDialog('resume')}>
          Resume…
        </Button>
      )}
    </section>
  );
}

const firstUpper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The pause's message beyond its reason. */
function messageOf({ pause, activity }: Goal): string {
  const message = pause?.message ?? activity.reason;
  return nextActSays(message, pause?.reason) ? '' : `${message.slice(0, 400)},`;
}

const nextActSays = (message: string, reason: string | undefined): boolean =>
  message === '' ||
  reason === 'blocked' ||
  reason === 'provider_error' ||
  reason === 'question' ||
  reason === 'disputed';
