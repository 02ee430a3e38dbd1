import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { takeBackMessage } from '../../api/actions.ts';
import { answerOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import type { Goal, SentMessage } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { PlainButton } from '../../components/button.tsx';
import { IconClock } from '../../generated/icons.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { patchGoal } from '../../live/patch.ts';
import { useSession } from '../../session/session-context.tsx';
import { useToast } from '../../shell/toasts.tsx';
import { clock } from '../../view/format.ts';
import { beginningOf, mayTakeBack } from '../../view/unread-messages.ts';

/** What was said to the goal and no model call has read: it waits, or was taken back. */
export function UnreadMessage(props: { readonly goal: Goal; readonly message: SentMessage }) {
  const { goal, message } = props;
  const place = useRef<HTMLDivElement>(null);
  return (
    <div ref={place} className="person-said unread-said" tabIndex={-1}>
      <p className="text-small text-muted">
        <IconClock size={13} stroke={1.75} aria-hidden="true" />{' '}
        {message.state === 'waiting' ? (
          <Waiting
            goal={goal}
            message={message}
            // The button is off by then, and goes with the answer.
            onAnswered={() => {
              if (document.activeElement === document.body) place.current?.focus();
            }}
          />
        ) : (
          `Taken back at ${clock(message.takenBackAt ?? message.sentAt)} by ${message.takenBackBy}`
        )}
      </p>
      <p className="pre-wrap" dir="auto">
        {message.text}
      </p>
      {message.files.length === 0 ? null : (
        <p className="text-small text-muted">With {message.files.join(', ')}</p>
      )}
    </div>
  );
}

function Waiting(props: {
  readonly goal: Goal;
  readonly message: SentMessage;
  readonly onAnswered: () => void;
}) {
  const { goal, message, onAnswered } = props;
  const client = useQueryClient();
  const toast = useToast();
  const isOffline = useIsOffline();
  const session = useSession();
  const key = useRef(crypto.randomUUID());
  const isOver = goal.archivedAt !== undefined || goal.status === 'complete';
  const back = useAct({
    mutationFn: (_: null) => answerOf(takeBackMessage(goal.goalId, message.messageId, key.current)),
    onSuccess: (now) => {
      patchGoal(client, now);
      toast('Taken back. No model call reads it.');
    },
    onError: (error) => {
      key.current = crypto.randomUUID();
      // Its place says nothing once a turn has read it.
      toast(error.message);
    },
    onSettled: () => {
      onAnswered();
      return client.invalidateQueries({ queryKey: keys.detail(goal.goalId, 'messages') });
    },
  });
  if (isOver) return 'No model call has read it';
  return (
    <>
      {message.delivery === 'steer' ? 'Waits for the next model call' : 'Waits for the next turn'}
      {mayTakeBack(session, message) ? (
        <>
          ;{' '}
          <PlainButton
            className="link"
            aria-label={`Take back: ${beginningOf(message.text)}`}
            disabled={back.isPending || isOffline}
            onClick={() => back.mutate(null)}
          >
            {back.isPending ? 'taking back…' : 'take back'}
          </PlainButton>
        </>
      ) : null}
    </>
  );
}
