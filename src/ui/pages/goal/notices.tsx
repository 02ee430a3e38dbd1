import { useQuery } from '@tanstack/react-query';
import { notificationsQuery } from '../../api/queries.ts';
import type { Goal } from '../../api/types.ts';
import { Since } from '../../components/since.tsx';
import { noticePlaces } from '../../view/notice-text.ts';

/** Where it is told that the goal waits or is over, and what became of the last word. */
export function Notices({ goal }: { readonly goal: Goal }) {
  const { data } = useQuery(notificationsQuery(goal.goalId));
  const places = noticePlaces(goal, data ?? []);
  if (places.length === 0) return null;
  return (
    <div className="pane-section">
      <h2>Notices</h2>
      <ul className="plain-list">
        {places.map(({ url, events, last, isBad }) => (
          <li key={url} className="text-small">
            <span className="mono pre-wrap">{url}</span>
            <span className="text-muted"> {events}</span>
            {last === null ? null : (
              <span className={isBad ? 'tone-bad' : 'text-muted'}>
                {', '}
                {last.words} <Since at={last.at} suffix=" ago" />
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
