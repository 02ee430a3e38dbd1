import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
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
  const isReady = words.trim() !== '' && !props.isBusy && !isOffline;
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
          <Button onClick={props.onClose}>Cancel</Button>
          <Button look={props.look} disabled={!isReady} onClick={() => props.onSend(words.trim())}>
            {props.isBusy ? 'Sending…' : props.confirm}
          </Button>
        </>
      }
    >
      <p>{props.text}</p>
      <label className="field-label" htmlFor="inbox-words">
        {props.label}
      </label>
      <textarea
        id="inbox-words"
        className="text-area"
        data-autofocus
        maxLength={4000}
        rows={3}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isReady) {
            props.onSend(words.trim());
          }
        }}
      />
      <AnswerError error={props.error} />
    </Dialog>
  );
}
