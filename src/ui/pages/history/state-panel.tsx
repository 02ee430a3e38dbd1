import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { pointQuery } from '../../api/queries.ts';
import type { Goal, HistoryPoint } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
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
      className="pane state-panel"
      aria-label="State at this event"
      aria-busy={place.isWaiting}
    >
      <div className="pane-head">
        <h2>{place.isNow ? 'State now' : `State at event ${point?.seq ?? ''}`}</h2>
        <span className="grow" />
        {place.isNow ? (
          <span className="tag tone-accent">event {newest}</span>
        ) : (
          <Button look="subtle" isSmall onClick={place.goToNow}>
            Go to now
          </Button>
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
      <div className="pane-section">
        <p className="text-small text-muted state-note">{eventWords(point)}</p>
        <dl className="key-values">
          <dt>Status</dt>
          <dd>
            <span className={before && before.status !== point.status ? 'changed' : ''}>
              <StatusTag goal={{ status: point.status }} />
            </span>
          </dd>
          {pointFacts(point, before).map(({ name, value, isChanged }) => (
            <div key={name} className="state-fact">
              <dt>{name}</dt>
              <dd>
                <span className={isChanged ? 'changed' : ''}>
                  {name === 'Ledger head' && point.ledgerSeq > 0 ? (
                    <Link
                      className="receipt-link"
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
        {point.decision === null ? null : (
          <p className="text-small text-secondary state-note">{point.decision.sentence}</p>
        )}
      </div>
      <div className="pane-section last-section">
        <h2>
          Todo list then
          <span className="pane-note">
            {items.length === 0 ? '' : `${proved} of ${counted.length} proved`}
          </span>
        </h2>
        {items.length === 0 ? (
          <p className="text-small text-muted">The list was not written yet.</p>
        ) : (
          items.map((item) => (
            <div key={item.id} className="row text-small state-todo">
              <EvidenceIcon state={evidenceOfTodo(item)} />
              <span
                className={`truncate ${changed.has(item.id) ? 'text-strong' : ''}`}
                title={item.content}
              >
                <span className="mono text-muted">{item.id}</span> {item.content}
              </span>
            </div>
          ))
        )}
        {written === 0 ? null : (
          <p className="text-small text-muted state-note">
            Files were written after the receipts of {plural(written, 'item')}.
          </p>
        )}
      </div>
    </>
  );
}
