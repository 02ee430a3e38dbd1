import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { shareProof, takeBackProofLink } from '../../api/actions.ts';
import { answerOf } from '../../api/client.ts';
import { proofLinksQuery } from '../../api/queries.ts';
import { useAct } from '../../api/use-act.ts';
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
  const client = useQueryClient();
  const [days, setDays] = useState('7');
  const share = useAct({
    mutationFn: () => answerOf(shareProof(props.goalId, { days: Number(days) })),
    onSuccess: () => client.invalidateQueries({ queryKey: proofLinksQuery(props.goalId).queryKey }),
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
        A read-only link to this proof: what was asked, how it was judged, names of files, and the
        end of what the checks printed, masked. Whoever has it needs no token. Each opening is in
        the security log.
      </p>
      {made === undefined ? (
        <ChoiceField label="It ends in" value={days} choices={DAYS} onText={setDays} />
      ) : (
        <>
          <pre className="share-link">{location.origin + made.path}</pre>
          <p className="text-small text-muted">It works until {dateAndTime(made.expiresAt)}.</p>
        </>
      )}
      <OpenLinks goalId={props.goalId} />
      {share.isError ? (
        <p className="field-error" role="alert">
          {share.error.message}
        </p>
      ) : null}
    </Dialog>
  );
}

/** Those that show something, each of which is taken back by itself. */
function OpenLinks({ goalId }: { readonly goalId: string }) {
  const client = useQueryClient();
  const isOffline = useIsOffline();
  const { queryKey } = proofLinksQuery(goalId);
  const links = useQuery(proofLinksQuery(goalId));
  const takeBack = useAct({
    mutationFn: (linkId: string) => answerOf(takeBackProofLink(goalId, linkId)),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  const open = links.data?.items.filter(({ state }) => state === 'open') ?? [];
  const error = links.error ?? takeBack.error;
  if (open.length === 0 && error === null) return null;
  return (
    <section aria-label="Links that work">
      <h3 className="share-head">Links that work</h3>
      <ul className="share-links">
        {open.map(({ linkId, madeBy, madeAt, expiresAt }) => (
          <li key={linkId}>
            <span>
              <span className="mono">{madeBy}</span>, {dateAndTime(madeAt)}
              <span className="text-small text-muted proof-under">
                ends {dateAndTime(expiresAt)}
              </span>
            </span>
            <Button
              isSmall
              aria-label={`Take back the link of ${dateAndTime(madeAt)}`}
              disabled={takeBack.isPending || isOffline}
              onClick={() => takeBack.mutate(linkId)}
            >
              Take back
            </Button>
          </li>
        ))}
      </ul>
      {error === null ? null : (
        <p className="field-error" role="alert">
          {error.message}
        </p>
      )}
    </section>
  );
}
