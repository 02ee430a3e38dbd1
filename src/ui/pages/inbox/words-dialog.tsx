import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { LeaveButton } from '../../components/leave.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { fits, MOST_NOTE } from '../../view/text-length.ts';
import { AnswerError } from '../goal/answer-field.tsx';

/** Asks for the reason before an answer is given; what was typed stays until it was taken. */
export function WordsDialog(props: {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly confirm: string;
  readonly look: 'keeper' | 'danger';
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSend: (words: string) => void;
  readonly onClose: () => void;
}) {
  const [words, setWords] = useState('');
  const isOffline = useIsOffline();
  const isReady = words.trim() !== '' && fits(words, MOST_NOTE) && !props.isBusy && !isOffline;
  return (
    <Dialog
      isOpen
      onClose={props.onClose}
      title={props.title}
      footer={
        <>
          <span className="text-small text-muted grow desktop-only">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd> sends
          </span>
          <LeaveButton onLeave={props.onClose} />
          <Button look={props.look} disabled={!isReady} onClick={() => props.onSend(words.trim())}>
            {props.isBusy ? 'Sending…' : props.confirm}
          </Button>
        </>
      }
    >
      <p>{props.text}</p>
      <TextField
        label={props.label}
        isLong
        most={MOST_NOTE}
        value={words}
        onText={setWords}
        isFocused
        area={{
          onKeyDown: (event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isReady) {
              props.onSend(words.trim());
            }
          },
        }}
      />
      <AnswerError error={props.error} />
    </Dialog>
  );
}
