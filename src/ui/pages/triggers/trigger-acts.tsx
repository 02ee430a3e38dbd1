import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeTrigger, deleteTrigger } from '../../api/triggers.ts';
import type { Trigger } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useToast } from '../../shell/toasts.tsx';

/** Pausing and ending a trigger. */
export function TriggerActs(props: {
  readonly trigger: Trigger;
  /** Called behind the end of it. */
  readonly onDeleted?: () => void;
}) {
  const { name, paused } = props.trigger;
  const client = useQueryClient();
  const toast = useToast();
  const isOffline = useIsOffline();
  const [isDeleting, setDeleting] = useState(false);
  const reread = () => void client.invalidateQueries({ queryKey: ['triggers'] });
  const change = useAct({
    mutationFn: () => changeTrigger(name, paused === undefined ? 'pause' : 'resume'),
    onSuccess: reread,
    onError: (error) => toast(error.message),
  });
  const act = paused === undefined ? 'Pause' : 'Resume';
  return (
    <>
      <Button
        look="subtle"
        isSmall
        disabled={isOffline || change.isPending}
        aria-label={`${act} ${name}`}
        onClick={() => change.mutate()}
      >
        {act}
      </Button>
      <Button
        look="subtle"
        isSmall
        disabled={isOffline || change.isPending}
        aria-label={`Delete ${name}`}
        onClick={() => setDeleting(true)}
      >
        Delete…
      </Button>
      {isDeleting ? (
        <ConfirmDialog
          title={`Delete ${name}?`}
          confirm="Delete the trigger"
          busy="Deleting…"
          act={async () => `${(await deleteTrigger(name)).name} is deleted.`}
          onDone={() => {
            props.onDeleted?.();
            reread();
          }}
          onClose={() => setDeleting(false)}
        >
          <p>
            Its address answers as one that never was, and what is pending does nothing. Its
            deliveries are gone with it; goals that it started go on.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
