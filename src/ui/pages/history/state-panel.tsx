import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { pointQuery } from '../../api/queries.ts';
import type { Goal, HistoryPoint } from '../../api/types.ts';
import { EvidenceIcon } from '../../components/evidence-icon.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { StatusTag } from '../../components/status-tag.tsx';
import { evidenceOfTodo } from '../../view/evidence.ts';
import { plural } from '../../view/format.ts';
import { changedItems, eventWords, pointFacts } from '../../view/history-point.ts';
import type { Place } from './use-place.ts';

/** The goal as it was behind one event; what that event changed is marked. */
export function StatePanel(props: {
  readonly goal: Goal;
  readonly place: Place;
  readonly newest: number;
}) {
  const { goal, place, newest } = props;
  const { point } = place;
  const hasBefore = point !== undefined && point.seq > 1 && !place.isNow;
  const before = useQuery({
    ...pointQuery(goal.goalId, { seq: (point?.seq ?? 2) - 1 }),
    enabled: hasBefore,
  });
  return (
    <section
      className="pane state-then"
      aria-label="State at this event"
      aria-busy={place.isWaiting}
    >
      <div className="ph">
        <h2>{place.isNow ? 'State now' : `State at event ${point?.seq ?? ''}`}</h2>
        <span className="grow" />
        {place.isNow ? (
          <span className="tag acc">event {newest}</span>
        ) : (
          <button type="button" className="btn g sm" onClick={place.goToNow}>
            Go to now
          </button>
        )}
      </div>
      {point === undefined ? (
        <NoPoint place={place} />
      ) : (
        <Then goal={goal} point={point} before={hasBefore ? before.data : undefined} />
      )}
    </section>
  );
}

function NoPoint({ place }: { readonly place: Place }) {
  if (place.error === null) {
    return <SkeletonLines label="Loading the state" widths={[70, 50, 60, 55]} />;
  }
  return <FailedBox what="The state then" error={place.error} onRetry={place.goToNow} />;
}

function Then(props: {
  readonly goal: Goal;
  readonly point: HistoryPoint;
  readonly before: HistoryPoint | undefined;
}) {
  const { goal, point, before } = props;
  const { items } = point.todos;
  const counted = items.filter(({ status }) => status !== 'dropped');
  const proved = counted.filter(({ status }) => status === 'completed').length;
  const changed = changedItems(point, before);
  const written = items.filter(({ writtenAfter }) => writtenAfter !== undefined).length;
  return (
    <>
      <div className="sec">
        <p className="xs t3 what">{eventWords(point)}</p>
        <dl className="kv">
          <dt>Status</dt>
          <dd>
            <span className={before && before.status !== point.status ? 'ch' : ''}>
              <StatusTag goal={{ status: point.status }} />
            </span>
          </dd>
          {pointFacts(point, before).map(({ name, value, isChanged }) => (
            <div key={name} className="fact">
              <dt>{name}</dt>
              <dd>
                <span className={isChanged ? 'ch' : ''}>
                  {name === 'Ledger head' && point.ledgerSeq > 0 ? (
                    <Link
                      className="rcpt"
                      href={`/goals/${goal.goalId}/ledger?call=${point.ledgerSeq}`}
                    >
                      {value}
                    </Link>
                  ) : (
                    value
                  )}
                </span>
              </dd>
            </div>
          ))}
        </dl>
        {point.decision === null ? null : <p className="xs t2 what">{point.decision.sentence}</p>}
      </div>
      <div className="sec last">
        <h2>
          Todo list then
          <span className="c">
            {items.length === 0 ? '' : `${proved} of ${counted.length} proved`}
          </span>
        </h2>
        {items.length === 0 ? (
          <p className="xs t3">The list was not written yet.</p>
        ) : (
          items.map((item) => (
            <div key={item.id} className="row xs then">
              <EvidenceIcon state={evidenceOfTodo(item)} />
              <span className={`ell ${changed.has(item.id) ? 'b' : ''}`} title={item.content}>
                <span className="mono t3">{item.id}</span> {item.content}
              </span>
            </div>
          ))
        )}
        {written === 0 ? null : (
          <p className="xs t3 what">
            Files were written after the receipts of {plural(written, 'item')}.
          </p>
        )}
      </div>
    </>
  );
}
