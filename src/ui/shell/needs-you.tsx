import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { countsQuery, goalsQuery } from '../api/queries.ts';
import { useMayAct } from '../session/session-context.tsx';
import { nextAct } from '../view/actor.ts';

/** The inbox, on every page: goals that only a person can move on. */
export const inboxQuery = goalsQuery({ actor: ['You'], sort: 'waiting', limit: 20 });

export function NeedsYou() {
  const mayAct = useMayAct();
  const [path] = useLocation();
  const { data: counts } = useQuery(countsQuery);
  const inbox = useInfiniteQuery({ ...inboxQuery, enabled: mayAct });
  if (!mayAct) return null;
  const goals = inbox.data?.pages.flatMap(({ items }) => items) ?? [];
  const waiting = goals.filter((goal) => nextAct(goal, true).kind === 'you');
  const more = (counts?.groups.you ?? 0) - waiting.length;
  return (
    <section className="inbox" aria-label="Needs you">
      <h2>
        Needs you{' '}
        {waiting.length > 0 ? <span className="keeper-count">{counts?.groups.you}</span> : null}
      </h2>
      {waiting.map((goal) => (
        <Link
          key={goal.goalId}
          className="inbox-goal"
          href={`/goals/${goal.goalId}`}
          aria-current={path.startsWith(`/goals/${goal.goalId}`) ? 'page' : undefined}
        >
          <b className="truncate">{goal.objective}</b>
          <span className="truncate">{nextAct(goal, true).reason}</span>
        </Link>
      ))}
      {more > 0 ? (
        <Link className="text-small link inbox-more" href="/goals?filter=you">
          {more} more
        </Link>
      ) : null}
      {inbox.isSuccess && waiting.length === 0 ? (
        <p className="text-small text-muted inbox-none">Nothing waits for you.</p>
      ) : null}
    </section>
  );
}
