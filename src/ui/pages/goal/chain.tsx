import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { delegatesQuery } from '../../api/queries.ts';
import type { Goal } from '../../api/types.ts';
import { Since } from '../../components/since.tsx';
import { delegateWords } from '../../view/delegate-lane.ts';
import { clock, plural } from '../../view/format.ts';

/** Wakes that the agent asked for, and work that it handed over. */
export function Chain({ goal }: { readonly goal: Goal }) {
  const { data } = useQuery(delegatesQuery(goal.goalId));
  const delegates = data?.items ?? [];
  const { chain, activity, policy } = goal;
  return (
    <>
      <div className="pane-section">
        <h2>
          Chain
          <span className="pane-note">
            {chain === undefined
              ? 'none'
              : `${chain.length} of at most ${policy.continuation.chainLength}`}
          </span>
        </h2>
        <ul className="chain-steps">
          <li>
            <i />
            <span>Started</span>
            <span className="text-muted tabular">{clock(goal.createdAt)}</span>
          </li>
          {chain === undefined ? null : (
            <li>
              <i />
              <span>{plural(chain.length, 'wake')} in a row</span>
              <span className="text-muted tabular">{clock(chain.startedAt)}</span>
            </li>
          )}
          {activity.state === 'waiting' ? (
            <li>
              <i />
              <span>{activity.reason}</span>
              <span className="text-muted tabular">
                {activity.until === undefined ? (
                  <Since at={activity.since} />
                ) : (
                  clock(activity.until)
                )}
              </span>
            </li>
          ) : null}
        </ul>
      </div>
      {delegates.length === 0 ? null : (
        <div className="pane-section">
          <h2>
            Delegates<span className="pane-note">{delegates.length}</span>
          </h2>
          <ul className="chain-steps">
            {delegates.map((delegate) => (
              <li key={delegate.delegateId}>
                <i />
                {delegate.goalId === undefined ? (
                  <span className="truncate">{delegate.task}</span>
                ) : (
                  <Link className="link truncate" href={`/goals/${delegate.goalId}`}>
                    {delegate.task}
                  </Link>
                )}
                <span className="text-muted">{delegateWords(delegate)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
