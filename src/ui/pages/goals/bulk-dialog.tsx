import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { pauseGoal, resumeGoal } from '../../api/actions.ts';
import { answerOf } from '../../api/client.ts';
import type { Goal } from '../../api/types.ts';
import { Dialog } from '../../components/dialog.tsx';
import { patchGoal } from '../../live/patch.ts';
import { useToast } from '../../shell/toasts.tsx';
import { plural } from '../../view/format.ts';
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
  const able = props.goals.filter((goal) =>
    props.act === 'pause' ? goal.status === 'active' : goal.status === 'paused',
  );
  const batch = useMemo(() => crypto.randomUUID(), []);
  const run = useMutation({
    mutationFn: async (): Promise<Refused[]> => {
      const refused: Refused[] = [];
      for (const goal of able) {
        const send = props.act === 'pause' ? pauseGoal : resumeGoal;
        try {
          const key = `${batch}-${goal.goalId}`;
          patchGoal(
            client,
            await answerOf(send(goal.goalId, { expectedRevision: goal.revision }, key)),
          );
        } catch (error) {
          refused.push({ goal, why: error instanceof Error ? error.message : String(error) });
        }
      }
      return refused;
    },
    onSuccess: (refused) => {
      toast(`${plural(able.length - refused.length, 'goal')} ${done}.`);
      props.onDone();
      if (refused.length === 0) props.onClose();
    },
  });
  const refused = run.data ?? [];
  return (
    <Dialog
      isOpen
      onClose={props.onClose}
      title={`${title} ${plural(able.length, 'goal')}`}
      footer={
        <>
          <span className="grow" />
          <button type="button" className="btn" data-autofocus onClick={props.onClose}>
            {run.isSuccess ? 'Close' : 'Cancel'}
          </button>
          {run.isSuccess ? null : (
            <button
              type="button"
              className="btn p"
              disabled={run.isPending || able.length === 0}
              onClick={() => run.mutate()}
            >
              {run.isPending ? busy : title}
            </button>
          )}
        </>
      }
    >
      <p>{text}</p>
      {able.length < props.goals.length ? (
        <p className="t3">
          {props.goals.length - able.length} of {props.goals.length} selected can not be {done} now
          and stay as they are.
        </p>
      ) : null}
      <ul className="plain">
        {refused.map(({ goal, why }) => (
          <li key={goal.goalId} className="bad xs">
            <span className="mono">{goal.goalId}</span> stays as it is: {why}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
