import { memo, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { outcomeOf, outcomeWords } from '../../../../schema/turn-outcome.ts';
import { firstLine } from '../../../../schema/turn-title.ts';
import type { HistoryTurn, PointPlace } from '../../api/types.ts';
import { PlainButton } from '../../components/button.tsx';
import { IconChevronDown, IconChevronRight } from '../../generated/icons.tsx';
import { clock, dateAndTime, plural } from '../../view/format.ts';
import { type HistoryRow, historyRows, lastRowBy } from '../../view/history-rows.ts';
import { toneClass } from '../../view/tone.ts';

const icon = { size: 14, stroke: 1.75, 'aria-hidden': true } as const;

/** One turn, and inside of it what Temporal and the journal say, in the order of time. */
export const HistoryTurnRow = memo(function HistoryTurnRow(props: {
  readonly goalId: string;
  readonly turn: HistoryTurn;
  /** The chosen moment; null = now. */
  readonly at: string | null;
  readonly isOpen: boolean;
  readonly isCurrent: boolean;
  readonly onToggle: () => void;
  readonly onPick: (place: PointPlace) => void;
}) {
  const { turn, at, isOpen } = props;
  const tone = outcomeOf(turn);
  const isLater = at !== null && turn.startedAt > at;
  const told = turn.events.length > 0 ? plural(turn.events.length, 'event') : stepCount(turn);
  return (
    <div className="history-turn">
      <PlainButton aria-expanded={isOpen} onClick={props.onToggle}>
        {isOpen ? <IconChevronDown {...icon} /> : <IconChevronRight {...icon} />}
        <span className={`turn-kind turn-kind-${tone}`} title={outcomeWords[tone]} />
        <span className="hash">{turn.turn === 0 ? '' : turn.turn}</span>
        <span className={`truncate ${isLater ? 'text-muted' : ''}`}>{titleOf(turn)}</span>
        <span className="text-small text-muted tabular">
          {told}
          {told === '' ? '' : ', '}
          <span title={dateAndTime(turn.startedAt)}>{clock(turn.startedAt)}</span>
        </span>
      </PlainButton>
      {isOpen ? <Rows {...props} /> : null}
    </div>
  );
});

const stepCount = ({ steps }: HistoryTurn): string =>
  steps.length === 0 ? '' : plural(steps.length, 'model call');

function titleOf({ turn, said, sentence, kind, state }: HistoryTurn): string {
  if (turn === 0) return 'Accepted and started';
  return firstLine(said ?? sentence ?? (state === 'open' ? 'Works…' : kind));
}

function Rows({
  goalId,
  turn,
  at,
  isCurrent,
  onPick,
}: Omit<Parameters<typeof HistoryTurnRow>[0], 'isOpen' | 'onToggle'>) {
  const rows = historyRows(turn);
  const reached = at === null ? rows.length - 1 : lastRowBy(rows, at);
  if (rows.length === 0) {
    return <p className="text-small text-muted history-none">Nothing was told of it yet.</p>;
  }
  return (
    <>
      {turn.isCut ? (
        <p className="text-small text-muted history-none">
          Older events of this turn are left out here.
        </p>
      ) : null}
      {rows.map((row, index) => (
        <Row
          key={row.key}
          goalId={goalId}
          row={row}
          isOn={at !== null && isCurrent && index === reached}
          isLater={index > reached}
          onPick={onPick}
        />
      ))}
    </>
  );
}

function Row(props: {
  readonly goalId: string;
  readonly row: HistoryRow;
  readonly isOn: boolean;
  readonly isLater: boolean;
  readonly onPick: (place: PointPlace) => void;
}) {
  const { row, isOn, isLater } = props;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOn) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isOn]);
  return (
    <div
      ref={element}
      className={`history-event from-${row.source} ${isOn ? 'current' : ''} ${isLater ? 'later' : ''}`}
      aria-current={isOn ? 'true' : undefined}
    >
      {row.seq === null ? (
        <span className="hash">{row.number}</span>
      ) : (
        <Link className="receipt-link" href={`/goals/${props.goalId}/ledger?call=${row.seq}`}>
          {row.number}
        </Link>
      )}
      <span className="tabular text-muted event-time">{clock(row.at, 'seconds')}</span>
      <PlainButton
        className={`truncate event-name ${toneClass(row.tone)}`}
        title={`What was true at ${dateAndTime(row.at)}`}
        onClick={() => props.onPick({ at: row.at })}
      >
        {row.name}
      </PlainButton>
      <span className="truncate text-secondary event-about" title={row.about}>
        {row.about}
      </span>
    </div>
  );
}
