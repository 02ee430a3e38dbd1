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
      <div className="sec">
        <h2>
          Chain
          <span className="c">
            {chain === undefined
              ? 'none'
              : `${chain.length} of at most ${policy.continuation.chainLength}`}
          </span>
        </h2>
        <ul className="steps">
          <li>
            <i />
            <span>Started</span>
            <span className="t3 num">{clock(goal.createdAt)}</span>
          </li>
          {chain === undefined ? null : (
            <li>
              <i />
              <span>{plural(chain.length, 'wake')} in a row</span>
              <span className="t3 num">{clock(chain.startedAt)}</span>
            </li>
          )}
          {activity.state === 'waiting' ? (
            <li>
              <i />
              <span>{activity.reason}</span>
              <span className="t3 num">
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
        <div className="sec">
          <h2>
            Delegates<span className="c">{delegates.length}</span>
          </h2>
          <ul className="steps">
            {delegates.map((delegate) => (
              <li key={delegate.delegateId}>
                <i />
                {delegate.goalId === undefined ? (
                  <span className="ell">{delegate.task}</span>
                ) : (
                  <Link className="link ell" href={`/goals/${delegate.goalId}`}>
                    {delegate.task}
                  </Link>
                )}
                <span className="t3">{delegateWords(delegate)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
