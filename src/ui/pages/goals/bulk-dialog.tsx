import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { pauseGoal, resumeGoal } from '../../api/actions.ts';
import { answerOf } from '../../api/client.ts';
import { goalQuery } from '../../api/queries.ts';
import type { Goal } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { patchGoal } from '../../live/patch.ts';
import { sendFollowed } from '../../live/send-followed.ts';
import { useToast } from '../../shell/toasts.tsx';
import { plural } from '../../view/format.ts';
import { isSamePause, stateText } from '../../view/version-text.ts';
import type { BulkAct } from './bulk-bar.tsx';

const words = {
  pause: {
    title: 'Pause',
    busy: 'Pausing…',
    done: 'paused',
    text: 'Each stops at its next call; what runs now ends first. Nothing is lost and no more is spent.',
  },
  resume: {
    title: 'Resume',
    busy: 'Resuming…',
    done: 'resumed',
    text: 'Each goes on where it stopped, within what is left of its budget.',
  },
} as const;

interface Refused {
  readonly goal: Goal;
  readonly why: string;
}

/** One request a goal, each for the revision that was seen; what was refused is said by name. */
export function BulkDialog(props: {
  readonly act: BulkAct;
  readonly goals: readonly Goal[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { title, busy, done, text } = words[props.act];
  const client = useQueryClient();
  const toast = useToast();
  // The confirmed goals stay in the title and count, even if they change meanwhile.
  const [able] = useState(() =>
    props.goals.filter((goal) =>
      props.act === 'pause' ? goal.status === 'active' : goal.status === 'paused',
    ),
  );
  const [selected] = useState(props.goals.length);
  const [batch] = useState(() => crypto.randomUUID());
  const actOn = async (goal: Goal): Promise<Refused | null> => {
    const send = props.act === 'pause' ? pauseGoal : resumeGoal;
    const { goalId } = goal;
    try {
      const followed = await sendFollowed({
        base: goal,
        seen: goal,
        isSame: isSamePause,
        send: (expectedRevision) =>
          answerOf(send(goalId, { expectedRevision }, `${batch}-${goalId}-${expectedRevision}`)),
        current: () => client.fetchQuery({ ...goalQuery(goalId), staleTime: 0 }),
      });
      patchGoal(client, followed.goal);
      return followed.kind === 'done'
        ? null
        : { goal, why: `somebody was faster, now ${stateText(followed.goal)}` };
    } catch (error) {
      return { goal, why: error instanceof Error ? error.message : String(error) };
    }
  };
  const run = useAct({
    mutationFn: async () => {
      const refused: Refused[] = [];
      for (const goal of able) {
        const refusal = await actOn(goal);
        if (refusal !== null) refused.push(refusal);
      }
      return { refused, acted: able.length - refused.length };
    },
    onSuccess: ({ refused, acted }) => {
      toast(`${plural(acted, 'goal')} ${done}.`);
      props.onDone();
      if (refused.length === 0) props.onClose();
    },
  });
  const refused = run.data?.refused ?? [];
  return (
    <Dialog
      isOpen
      onClose={props.onClose}
      title={`${title} ${plural(able.length, 'goal')}`}
      footer={
        <>
          <span className="grow" />
          <Button data-autofocus onClick={props.onClose}>
            {run.isSuccess ? 'Close' : 'Cancel'}
          </Button>
          {run.isSuccess ? null : (
            <Button
              look="primary"
              disabled={run.isPending || able.length === 0}
              onClick={() => run.mutate()}
            >
              {run.isPending ? busy : title}
            </Button>
          )}
        </>
      }
    >
      <p>{text}</p>
      {able.length < selected ? (
        <p className="text-muted">
          {selected - able.length} of {selected} selected can’t be {done} now and stay as they are.
        </p>
      ) : null}
      <ul className="plain-list">
        {refused.map(({ goal, why }) => (
          <li key={goal.goalId} className="tone-bad text-small">
            <span className="mono">{goal.goalId}</span> stays as it is: {why}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
