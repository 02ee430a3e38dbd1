import { stopCall } from '../../api/actions.ts';
import { answerOf } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';

/** Ends one command after a look at what goes with it. */
export function StopCallDialog(props: {
  readonly goalId: string;
  readonly callId: string;
  readonly command: string;
  readonly onAsked: () => void;
  readonly onClose: () => void;
}) {
  const { goalId, callId, command } = props;
  return (
    <ConfirmDialog
      title="Stop this command?"
      confirm="Stop the command"
      busy="Stopping…"
      act={async () => {
        await answerOf(stopCall(goalId, callId));
        return 'The command is being stopped; the turn goes on.';
      }}
      onDone={props.onAsked}
      onClose={props.onClose}
    >
      <p className="mono break">{command}</p>
      <p>
        It is told to end, and is ended if it doesn’t. What it changed until then stays. Its row in
        the ledger names you and proves nothing; the model is told, and goes on with its next call.
      </p>
    </ConfirmDialog>
  );
}
