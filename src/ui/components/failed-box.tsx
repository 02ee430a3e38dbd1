import { errorCode } from '../api/problem.ts';
import { IconAlertTriangle, IconCopy } from '../generated/icons.tsx';
import { useToast } from '../shell/toasts.tsx';
import { Button } from './button.tsx';
import { RemovedBox, removedGoal } from './removed-goal.tsx';
import { StateBox } from './state-box.tsx';

/** Shows what failed, what is not affected, and how to go on. */
export function FailedBox(props: {
  readonly what: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  const toast = useToast();
  const code = errorCode(props.error);
  const copy = () => void navigator.clipboard.writeText(code).then(() => toast('Details copied.'));
  const removed = removedGoal(props.error);
  if (removed !== null) return <RemovedBox goal={removed} />;
  const why = props.error instanceof Error ? props.error.message : 'Something broke here.';
  return (
    <StateBox
      icon={<IconAlertTriangle size={28} stroke={1.4} aria-hidden="true" />}
      title={`${props.what} could not be loaded`}
      text={`${why} Goals are not affected: they go on without this page.`}
      code={code}
    >
      <Button look="primary" onClick={props.onRetry}>
        Try again
      </Button>
      <Button onClick={copy}>
        <IconCopy size={14} stroke={1.75} aria-hidden="true" />
        Copy details
      </Button>
    </StateBox>
  );
}
