import type { ReactNode } from 'react';
import { useAct } from '../api/use-act.ts';
import { useIsOffline } from '../live/live-context.tsx';
import { useToast } from '../shell/toasts.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** Takes something away after a look at what goes with it. */
export function ConfirmDialog(props: {
  readonly title: string;
  readonly confirm: string;
  readonly busy: string;
  /** @returns what to tell */
  readonly act: () => Promise<string>;
  readonly onDone: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const toast = useToast();
  const isOffline = useIsOffline();
  const act = useAct({
    mutationFn: props.act,
    onSuccess: (done) => {
      toast(done);
      props.onDone();
      props.onClose();
    },
  });
  return (
    <Dialog
      isOpen
      onClose={props.onClose}
      title={props.title}
      footer={
        <>
          <span className="grow" />
          <Button data-autofocus onClick={props.onClose}>
            Cancel
          </Button>
          <Button look="danger" disabled={act.isPending || isOffline} onClick={() => act.mutate()}>
            {act.isPending ? props.busy : props.confirm}
          </Button>
        </>
      }
    >
      {props.children}
      {act.isError ? (
        <p className="field-error" role="alert">
          {act.error.message}
        </p>
      ) : null}
    </Dialog>
  );
}
