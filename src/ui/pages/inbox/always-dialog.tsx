import type { Approval } from '../../api/types.ts';
import { AlwaysRule } from '../../components/always-rule.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { AnswerError } from '../goal/answer-field.tsx';

/** Shows the rule before it is stored. */
export function AlwaysDialog(props: {
  readonly always: NonNullable<Approval['always']>;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onGive: () => void;
  readonly onClose: () => void;
}) {
  const { always } = props;
  const isOffline = useIsOffline();
  return (
    <Dialog
      isOpen
      onClose={props.onClose}
      title={`Always allow this in ${always.workspace}?`}
      footer={
        <>
          <span className="grow" />
          <Button data-autofocus onClick={props.onClose}>
            Cancel
          </Button>
          <Button look="keeper" disabled={props.isBusy || isOffline} onClick={props.onGive}>
            {props.isBusy ? 'Storing…' : 'Approve and store the rule'}
          </Button>
        </>
      }
    >
      <AlwaysRule always={always} />
      <AnswerError error={props.error} />
    </Dialog>
  );
}
