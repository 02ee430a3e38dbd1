import { Button } from '../components/button.tsx';
import { IconCloudOff } from '../generated/icons.tsx';
import { useLive } from '../live/live-context.tsx';
import { useNow } from '../live/now.ts';
import { clock } from '../view/format.ts';

/** The data stays, with its time; actions are off until the service is back. */
export function OfflineBanner() {
  const { connection, tryNow } = useLive();
  const now = useNow();
  if (connection.state !== 'offline') return null;
  const seconds = Math.max(0, Math.ceil((connection.nextTryAt - now) / 1000));
  return (
    <div className="banner offline">
      <IconCloudOff size={16} stroke={1.75} aria-hidden="true" />
      <span className="grow">
        <b role="alert">Disconnected.</b> What you see is from {clock(connection.since, 'seconds')}.
        Goals go on running; only this page is behind. Trying again{' '}
        {seconds === 0 ? 'now' : `in ${seconds} s`}.
      </span>
      <Button isSmall onClick={tryNow}>
        Try now
      </Button>
    </div>
  );
}
