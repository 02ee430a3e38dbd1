import { useLive } from '../live/live-context.tsx';
import { useNow } from '../live/now.ts';
import { clock, duration } from '../view/format.ts';

/** Shows whether the data on the page is current. */
export function LiveMark() {
  const { connection } = useLive();
  const now = useNow();
  if (connection.state === 'offline') {
    const behind = Math.max(1, Math.round((now - Date.parse(connection.since)) / 1000));
    return (
      <div className="live-mark">
        <i className="pulse offline" />
        <span>Behind by {duration(behind)}</span>
      </div>
    );
  }
  return (
    <div className="live-mark">
      <i className="pulse" />
      <span>{connection.state === 'live' ? `Live, ${clock(now, 'seconds')}` : 'Connecting…'}</span>
    </div>
  );
}
