import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { inboxQuery } from '../api/inbox.ts';
import { useMayAct } from '../session/session-context.tsx';
import { nextAct } from '../view/actor.ts';
import { entriesOf } from '../view/inbox-list.ts';

/** More than these would push the rest of the side bar away. */
const MOST = 20;

/** Goals that only a person can move on, on every page. */
export function Holding() {
  const mayAct = useMayAct();
  const [path] = useLocation();
  const inbox = useQuery({ ...inboxQuery, enabled: mayAct });
  if (!mayAct || inbox.data === undefined) return null;
  const holding = entriesOf(inbox.data).filter(({ item }) => item.holds);
  const goals = [...new Map(holding.map(({ goal }) => [goal.goalId, goal])).values()];
  return (
    <section className="holding" aria-label="Holding a goal">
      <h2>
        Holding a goal{' '}
        {goals.length > 0 ? <span className="keeper-count">{goals.length}</span> : null}
      </h2>
      {goals.slice(0, MOST).map((goal) => (
        <Link
          key={goal.goalId}
          className="holding-goal"
          href={`/goals/${goal.goalId}`}
          aria-current={path.startsWith(`/goals/${goal.goalId}`) ? 'page' : undefined}
        >
          <b className="truncate">{goal.objective}</b>
          <span className="truncate">{nextAct(goal, true).reason}</span>
        </Link>
      ))}
      {goals.length > MOST ? (
        <Link className="text-small link holding-more" href="/inbox">
          {goals.length - MOST} more
        </Link>
      ) : null}
      {goals.length === 0 ? (
        <p className="text-small text-muted holding-none">Nothing waits for you.</p>
      ) : null}
    </section>
  );
}
