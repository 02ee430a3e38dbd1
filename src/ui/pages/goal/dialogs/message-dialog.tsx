import { useState } from 'react';
import { sendMessage } from '../../../api/actions.ts';
import { AttachField } from '../../../components/attach-field.tsx';
import { Segmented } from '../../../components/segmented.tsx';
import { TextNotes } from '../../../components/text-field.tsx';
import { type AttachedFile, attachedIn } from '../../../view/attached-file.ts';
import { fits, MOST_SAID } from '../../../view/text-length.ts';
import { stateText } from '../../../view/version-text.ts';
import { ActionDialog } from './action-dialog.tsx';
import type { GoalDialogProps } from './goal-dialog-props.ts';

export function MessageDialog({ goal, onClose }: GoalDialogProps) {
  const [text, setText] = useState('');
  const [files, setFiles] = useState<readonly AttachedFile[]>([]);
  const [delivery, setDelivery] = useState<'pause' | 'steer'>('pause');
  return (
    <ActionDialog
      goal={goal}
      title="Say something to the goal"
      confirm="Send"
      busy="Sending…"
      done="Sent."
      isReady={text.trim() !== '' && fits(text, MOST_SAID)}
      send={(expectedRevision, key) =>
        sendMessage(
          goal.goalId,
          { text: text.trim(), delivery, expectedRevision, ...attachedIn(files) },
          key,
        )
      }
      isSame={(_before, now) => now.archivedAt === undefined && now.status !== 'complete'}
      versions={(_before, now) => ({ theirs: stateText(now), mine: text })}
      onClose={onClose}
    >
      <label className="field-label" htmlFor="message">
        Message
      </label>
      <AttachField files={files} onFiles={setFiles}>
        <textarea
          id="message"
          className="text-area"
          data-autofocus
          rows={4}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <TextNotes text={text} most={MOST_SAID} />
      </AttachField>
      <Segmented
        label="Delivery"
        choices={[
          ['pause', 'Answer, then pause'],
          ['steer', 'Next call'],
        ]}
        chosen={delivery}
        onChoose={setDelivery}
      />
    </ActionDialog>
  );
}
