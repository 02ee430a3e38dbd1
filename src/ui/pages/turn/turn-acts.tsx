import { useState } from 'react';
import type { Goal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { loadingDialog } from '../../components/dialog.tsx';
import { lazyView } from '../../components/lazy-view.tsx';
import { IconGitFork, IconRotateClockwise } from '../../generated/icons.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useMayAct, useMayPause } from '../../session/session-context.tsx';

const icon = { size: 14, stroke: 1.75, 'aria-hidden': true } as const;

const RetryDialog = lazyView(
  'The dialog',
  loadingDialog,
  async () => (await import('./retry-dialog.tsx')).RetryDialog,
);
const OtherModelDialog = lazyView(
  'The dialog',
  loadingDialog,
  async () => (await import('./other-model-dialog.tsx')).OtherModelDialog,
);

/** From a turn: again in this goal, or with another model in one of its own. */
export function TurnActs({ goal, turn }: { readonly goal: Goal; readonly turn: number }) {
  const [asking, setAsking] = useState<'retry' | 'model' | null>(null);
  const isOffline = useIsOffline();
  const mayAct = useMayAct();
  const mayStart = useMayPause();
  const isOver = goal.status === 'complete' || goal.archivedAt !== undefined;
  const close = () => setAsking(null);
  return (
    <>
      {mayAct && !isOver && goal.driver === undefined ? (
        <Button isSmall disabled={isOffline} onClick={() => setAsking('retry')}>
          <IconRotateClockwise {...icon} />
          Retry from here…
        </Button>
      ) : null}
      {mayStart && goal.agent === undefined ? (
        <Button isSmall disabled={isOffline} onClick={() => setAsking('model')}>
          <IconGitFork {...icon} />
          With another model…
        </Button>
      ) : null}
      {asking === 'retry' ? <RetryDialog goal={goal} turn={turn} onClose={close} /> : null}
      {asking === 'model' ? <OtherModelDialog goal={goal} turn={turn} onClose={close} /> : null}
    </>
  );
}
