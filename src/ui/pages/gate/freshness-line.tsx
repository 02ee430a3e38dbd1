import type { Gate, Goal } from '../../api/types.ts';
import { Receipt } from '../../components/receipt.tsx';
import { useNow } from '../../live/now.ts';
import { clock } from '../../view/format.ts';
import type { Requirement } from '../../view/requirements.ts';

const MET: readonly Requirement['state'][] = ['proved', 'here', 'holds'];

/** A receipt's dot left of the last write's diamond is stale and proves nothing. */
export function FreshnessLine(props: {
  readonly goal: Goal;
  readonly requirement: Requirement;
  readonly freshness: Gate['freshness'];
}) {
  const { goal, requirement, freshness } = props;
  const now = useNow();
  const seq = requirement.receipts.at(-1);
  if (seq === undefined) {
    const isMet = MET.includes(requirement.state);
    return (
      <div className="text-small text-muted">
        {isMet ? 'Looked at, and nothing is run for it' : 'No receipt yet'}
      </div>
    );
  }
  const receipt = freshness.receipts.find((one) => one.seq === seq);
  if (receipt === undefined) {
    return (
      <div className="text-small text-muted">
        <Receipt seq={seq} />
      </div>
    );
  }
  const write = freshness.lastWrite;
  const from = Date.parse(goal.createdAt);
  const isOver = goal.status === 'complete';
  const to = Math.max(
    isOver ? Date.parse(goal.updatedAt) : Math.floor(now / 10_000) * 10_000,
    from + 1,
  );
  const place = (at: string) =>
    3 + Math.max(0, Math.min(1, (Date.parse(at) - from) / (to - from))) * 94;
  const isOlder = write !== null && write.seq > seq && requirement.state === 'stale';
  const hasFailed = requirement.state === 'failed';
  const word = hasFailed ? 'failed' : isOlder ? 'older than the last write' : 'newest';
  return (
    <div>
      <div
        className="freshness"
        role="img"
        aria-label={`Receipt ${seq} at ${clock(receipt.at)}, ${word}${write === null ? '' : `; last write ${write.seq} at ${clock(write.at)}`}`}
      >
        <div className="freshness-track" />
        {isOlder && write !== null ? (
          <div
            className="freshness-track outdated"
            style={{ left: `${place(receipt.at)}%`, right: `${100 - place(write.at)}%` }}
          />
        ) : null}
        {write === null ? null : <em style={{ left: `${place(write.at)}%` }} />}
        <b
          className={hasFailed ? 'failed' : isOlder ? 'outdated' : ''}
          style={{ left: `${place(receipt.at)}%` }}
        />
      </div>
      <div className="text-small text-muted">
        <Receipt seq={seq} /> {clock(receipt.at)}, {word}
        {write === null ? null : (
          <>
            ; write <Receipt seq={write.seq} /> {clock(write.at)}
          </>
        )}
      </div>
    </div>
  );
}
