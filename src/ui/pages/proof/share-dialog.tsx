import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { shareProof } from '../../api/actions.ts';
import { answerOf } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ChoiceField } from '../../components/text-field.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { dateAndTime } from '../../view/format.ts';

const DAYS = [
  ['1', '1 day'],
  ['7', '7 days'],
  ['30', '30 days'],
] as const;

/** A link that shows the proof to whoever holds it. */
export function ShareDialog(props: { readonly goalId: string; readonly onClose: () => void }) {
  const isOffline = useIsOffline();
  const [days, setDays] = useState('7');
  const share = useMutation({
    mutationFn: () => answerOf(shareProof(props.goalId, { days: Number(days) })),
  });
  const made = share.data;
  return (
    <Dialog
      isOpen
      onClose={props.onClose}
      title="Share this proof"
      footer={
        <>
          <span className="grow" />
          <Button data-autofocus onClick={props.onClose}>
            {made === undefined ? 'Cancel' : 'Done'}
          </Button>
          {made === undefined ? (
            <Button
              look="primary"
              disabled={share.isPending || isOffline}
              onClick={() => share.mutate()}
            >
              {share.isPending ? 'Making…' : 'Make the link'}
            </Button>
          ) : (
            <CopyButton text={location.origin + made.path} words="Copy link" />
          )}
        </>
      }
    >
      <p>
        A read-only link to this proof: what was asked, how it was judged, and names of files, with
        no content of them. Whoever has it needs no token. Each opening is in the security log.
      </p>
      {made === undefined ? (
        <ChoiceField label="It ends in" value={days} choices={DAYS} onText={setDays} />
      ) : (
        <>
          <pre className="share-link">{location.origin + made.path}</pre>
          <p className="text-small text-muted">It works until {dateAndTime(made.expiresAt)}.</p>
        </>
      )}
      {share.isError ? (
        <p className="field-error" role="alert">
          {share.error.message}
        </p>
      ) : null}
    </Dialog>
  );
}
