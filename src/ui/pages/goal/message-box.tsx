import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { sendMessage } from '../../api/actions.ts';
import { answerOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { ApiError, detailAt } from '../../api/problem.ts';
import type { Goal } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { AttachField } from '../../components/attach-field.tsx';
import { Button } from '../../components/button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { UnseenNote } from '../../components/text-field.tsx';
import { IconSend } from '../../generated/icons.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { patchGoal } from '../../live/patch.ts';
import { useMayAct, useMayPause } from '../../session/session-context.tsx';
import { useKeys } from '../../shell/keys.ts';
import { useToast } from '../../shell/toasts.tsx';
import { attachedIn } from '../../view/attached-file.ts';
import { excessText, fits, MOST_SAID } from '../../view/text-length.ts';
import { keepMessage, leftOf, type MessageDraft, readMessage } from './message-draft.ts';

/** Says something to the goal from where it is watched; whoever may not doesn't see it. */
export function MessageBox({ goal }: { readonly goal: Goal }) {
  const mayMessage = useMayPause();
  const isOver = goal.archivedAt !== undefined || goal.status === 'complete';
  return mayMessage && !isOver ? <Box key={goal.goalId} goal={goal} /> : null;
}

const said: Readonly<Record<MessageDraft['delivery'], string>> = {
  steer: 'Sent. The model reads it with its next call.',
  now: 'Sent. A command that ran is stopped, and the next call reads it.',
  pause: 'Sent. The goal answers, then pauses.',
};

function Box({ goal: { goalId, status } }: { readonly goal: Goal }) {
  const [draft, setDraft] = useState(() => readMessage(goalId));
  const field = useRef<HTMLTextAreaElement>(null);
  const isOffline = useIsOffline();
  const mayAct = useMayAct();
  const { send, problem } = useSending(goalId, (sent) => {
    change(leftOf(draft, sent));
    // The button that was pressed is off by then.
    if (document.activeElement === document.body) field.current?.focus();
  });
  const { text, files } = draft;
  const wrong = excessText(text, MOST_SAID) || problem.text;
  // There is no next call of a goal that stands still: it answers.
  const isActive = status === 'active';
  const chosen = draft.delivery === 'now' && !mayAct ? 'steer' : draft.delivery;
  const delivery = isActive ? chosen : 'pause';
  const change = (next: MessageDraft) => {
    setDraft(next);
    keepMessage(goalId, next);
  };
  const isReady = text.trim() !== '' && fits(text, MOST_SAID) && !send.isPending && !isOffline;
  const give = () => {
    if (isReady) send.mutate({ ...draft, delivery });
  };
  useKeys({ i: () => field.current?.focus() });
  return (
    <form
      className="message-box"
      aria-label="Message to the goal"
      onSubmit={(event) => {
        event.preventDefault();
        give();
      }}
    >
      <AttachField
        files={files}
        problem={problem.attachments}
        onFiles={(next) => change({ ...draft, files: next })}
      >
        <textarea
          ref={field}
          className="text-area"
          rows={1}
          aria-label="Message"
          aria-invalid={wrong !== ''}
          aria-describedby={wrong === '' ? undefined : 'message-problem'}
          placeholder="Say something to the goal"
          value={text}
          onChange={(event) => change({ ...draft, text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) give();
            if (event.key === 'Escape') field.current?.blur();
          }}
        />
        {wrong === '' ? null : (
          <p id="message-problem" className="field-error" role="alert">
            {wrong}
          </p>
        )}
        <UnseenNote text={text} />
      </AttachField>
      <div className="row message-acts">
        {isActive ? (
          <Segmented
            label="Delivery"
            choices={[
              ['steer', 'Next call'],
              ...(mayAct ? ([['now', 'Now', 'Stops the running command first']] as const) : []),
              ['pause', 'Answer, then pause'],
            ]}
            chosen={delivery}
            onChoose={(next) => change({ ...draft, delivery: next })}
          />
        ) : (
          <span className="text-small text-muted">It answers, then pauses.</span>
        )}
        <Button type="submit" look="primary" disabled={!isReady} title="Send (Ctrl Enter)">
          <IconSend size={14} stroke={1.75} aria-hidden="true" />
          {send.isPending ? 'Sending…' : 'Send'}
        </Button>
      </div>
    </form>
  );
}

/** What was typed stays until the service took it; the same words sent again are said once. */
function useSending(goalId: string, onSent: (sent: MessageDraft) => void) {
  const client = useQueryClient();
  const toast = useToast();
  const last = useRef({ said: '', key: '' });
  const send = useAct({
    mutationFn: ({ text, delivery, files }: MessageDraft) => {
      const body = { text: text.trim(), delivery, ...attachedIn(files) };
      const words = JSON.stringify(body);
      if (last.current.said !== words) last.current = { said: words, key: crypto.randomUUID() };
      return answerOf(sendMessage(goalId, body, last.current.key));
    },
    onSuccess: (goal, sent) => {
      void client.invalidateQueries({ queryKey: keys.detail(goalId, 'messages') });
      last.current = { said: '', key: '' };
      patchGoal(client, goal);
      toast(said[sent.delivery]);
      onSent(sent);
    },
  });
  return { send, problem: problemOf(send.error) };
}

/** At the field that it is about; what is about none stands below the words. */
function problemOf(error: Error | null): { readonly text: string; readonly attachments: string } {
  if (error === null) return { text: '', attachments: '' };
  const isOfFiles =
    error instanceof ApiError && error.problem.field?.startsWith('attachments') === true;
  const detail = error instanceof ApiError ? detailAt(error.problem) : error.message;
  return isOfFiles ? { text: '', attachments: detail } : { text: detail, attachments: '' };
}
