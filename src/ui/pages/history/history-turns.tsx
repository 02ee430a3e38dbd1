import { useState } from 'react';
import type { Goal, HistoryPoint, HistoryRun, HistoryTurn, PointPlace } from '../../api/types.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { IconExternalLink, IconHistory } from '../../generated/icons.tsx';
import { HistoryTurnRow } from './history-turn.tsx';

interface More {
  readonly isLoading: boolean;
  readonly load: () => void;
}

/** Newest first; the turn of the chosen moment stands open. */
export function HistoryTurns(props: {
  readonly goal: Goal;
  readonly turns: readonly HistoryTurn[];
  readonly point: HistoryPoint | undefined;
  readonly isNow: boolean;
  readonly run: HistoryRun | null;
  /** The missing events and the reason; null = nothing is missing. */
  readonly notice: string | null;
  /** Asks for it again, where that may help. */
  readonly onAskAgain: (() => void) | null;
  readonly hasTasks: boolean;
  readonly onTasks: (isWanted: boolean) => void;
  readonly onPick: (place: PointPlace) => void;
  readonly isBelowNewest: boolean;
  readonly onNewest: () => void;
  readonly more: More | null;
}) {
  const { run, more, point, notice, onAskAgain } = props;
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const toggle = (turn: number) =>
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(turn)) after.add(turn);
      return after;
    });
  return (
    <section className="pane" aria-label="Events by turn">
      <div className="pane-head">
        <h2>{run === null ? 'Not started' : `Run ${run.number}`}</h2>
        {run === null ? null : <span className="hash desktop-only">{run.runId.slice(0, 13)}</span>}
        {run?.isKept === false ? <span className="tag">expired</span> : null}
        <span className="grow" />
        <label className="row text-small text-secondary tasks-toggle desktop-only">
          <input
            type="checkbox"
            className="checkbox"
            checked={props.hasTasks}
            onChange={(event) => props.onTasks(event.currentTarget.checked)}
          />
          Workflow tasks
        </label>
        {run === null || run.link === null ? null : (
          <a
            className={buttonClass({ look: 'subtle', isSmall: true })}
            href={run.link}
            target="_blank"
            rel="noreferrer"
          >
            <IconExternalLink size={14} stroke={1.75} aria-hidden="true" />
            Open in Temporal
          </a>
        )}
      </div>
      {notice === null ? null : (
        <div className="history-notice text-small" role="note">
          <IconHistory size={14} stroke={1.75} aria-hidden="true" />
          <span className="grow">{notice}</span>
          {onAskAgain === null ? null : (
            <Button look="subtle" isSmall onClick={onAskAgain}>
              Ask again
            </Button>
          )}
        </div>
      )}
      {props.isBelowNewest ? (
        <Button look="subtle" isSmall className="load-older" onClick={props.onNewest}>
          Show the newest turns
        </Button>
      ) : null}
      {props.turns.map((turn) => (
        <HistoryTurnRow
          key={turn.turn}
          goalId={props.goal.goalId}
          turn={turn}
          at={props.isNow ? null : (point?.at ?? null)}
          isOpen={(turn.turn === point?.turn) !== toggled.has(turn.turn)}
          isCurrent={turn.turn === point?.turn}
          onToggle={() => toggle(turn.turn)}
          onPick={props.onPick}
        />
      ))}
      {more === null ? null : (
        <Button
          look="subtle"
          isSmall
          className="load-older"
          disabled={more.isLoading}
          onClick={more.load}
        >
          {more.isLoading ? 'Loading…' : 'Older turns'}
        </Button>
      )}
    </section>
  );
}
