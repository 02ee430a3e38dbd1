import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { outcomeWords, type TurnOutcome } from '../../../../schema/turn-outcome.ts';
import { delegatesQuery } from '../../api/queries.ts';
import type { Goal, TurnOutline } from '../../api/types.ts';
import { useNow } from '../../live/now.ts';
import { useMayAct } from '../../session/session-context.tsx';
import { nextAct } from '../../view/actor.ts';
import { delegateBlock } from '../../view/delegate-lane.ts';
import { clock, plural } from '../../view/format.ts';
import { ticksOf } from '../../view/ticks.ts';
import type { TimeRange } from '../../view/turn-range.ts';
import { type Block, laneOf, type WaitNow } from '../../view/turn-tone.ts';
import { usePull } from './use-pull.ts';

const legend: readonly TurnOutcome[] = [
  'work',
  'verify',
  'refused',
  'nudge',
  'wait',
  'error',
  'delegate',
  'approval',
];
/** As many as may run at once by default. */
const MOST_LANES = 5;

/** The whole goal as one picture; the list beside it holds the same. */
export function Minimap(props: {
  readonly goal: Goal;
  readonly turns: readonly TurnOutline[];
  readonly current: number;
  readonly range: TimeRange | null;
  readonly onRange: (range: TimeRange) => void;
  readonly onJump: (turn: number) => void;
}) {
  const { goal, turns } = props;
  const mayAct = useMayAct();
  const clockNow = useNow();
  const track = useRef<HTMLDivElement>(null);
  const oldest = Math.min(...turns.map(({ startedAt }) => Date.parse(startedAt)));
  const isOver = goal.status === 'complete' || goal.archivedAt !== undefined;
  const now = isOver ? Date.parse(goal.updatedAt) : Math.floor(clockNow / 5000) * 5000;
  const width = Math.max(1000, now - oldest);
  const place = (at: number) => Math.max(0, Math.min(100, ((at - oldest) / width) * 100));
  const timeAt = (x: number) => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined) return oldest;
    return oldest + Math.max(0, Math.min(1, (x - box.left) / box.width)) * width;
  };
  const { pulled, handlers } = usePull(timeAt, props.onRange);
  const range = pulled ?? props.range;
  const lane = laneOf(turns, now, waitOf(goal, mayAct));
  const { lanes, earlier } = useDelegateLanes(goal, now);
  const delegates = lanes.length === 0 ? '' : ` and ${plural(lanes.length, 'delegate')}`;
  const summary = `Timeline of ${plural(turns.length, 'turn')}${delegates} from ${clock(oldest)} to ${clock(now)}; step through them with [ and ]`;
  return (
    <div className="minimap">
      <div className={`lanes ${lanes.length > 0 ? 'with-names' : ''}`}>
        <div className="lane-names">
          <span>main</span>
          {lanes.map(({ id, name }) => (
            <span key={id} className="truncate" title={name}>
              {name}
            </span>
          ))}
        </div>
        <div ref={track} className="lane-track" role="img" aria-label={summary} {...handlers}>
          {range === null ? null : (
            <div
              className="time-range"
              style={{
                left: `${place(range.from)}%`,
                width: `${place(range.to) - place(range.from)}%`,
              }}
            />
          )}
          <Lane blocks={lane} place={place} current={props.current} onJump={props.onJump} />
          {lanes.map(({ id, blocks }) => (
            <Lane
              key={id}
              blocks={blocks}
              place={place}
              current={0}
              onJump={props.onJump}
              isSmall
            />
          ))}
          <div className="time-axis">
            {ticksOf(oldest, now).map((at) => (
              <span key={at} style={{ left: `${place(at)}%` }}>
                {clock(at)}
              </span>
            ))}
          </div>
        </div>
      </div>
      <div className="legend">
        {legend.map((tone) => (
          <span key={tone}>
            <i className={`turn-kind-${tone}`} />
            {outcomeWords[tone]}
          </span>
        ))}
        {earlier === 0 ? null : <span>{plural(earlier, 'earlier delegate')} under Chain</span>}
      </div>
    </div>
  );
}

function Lane(props: {
  readonly blocks: readonly Block[];
  readonly place: (at: number) => number;
  readonly current: number;
  readonly onJump: (turn: number) => void;
  readonly isSmall?: boolean;
}) {
  return (
    <div className={`lane ${props.isSmall === true ? 'small' : ''}`}>
      {props.blocks.map(({ turn, tone, label, from, to }) => {
        const left = props.place(from);
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: one picture; the list has the buttons.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the same turns are reached by [ and ].
          <i
            key={`${tone}${from}`}
            className={`turn-kind-${tone} ${turn === props.current ? 'current' : ''}`}
            title={label}
            style={{ left: `${left}%`, width: `${Math.max(0.4, props.place(to) - left)}%` }}
            onClick={() => turn > 0 && props.onJump(turn)}
          />
        );
      })}
    </div>
  );
}

function waitOf(goal: Goal, mayAct: boolean): WaitNow | null {
  const { kind } = nextAct(goal, mayAct);
  const { since } = goal.pause ?? goal.activity;
  if (kind === 'you') return { tone: 'approval', since };
  return goal.activity.state === 'waiting' ? { tone: 'wait', since } : null;
}

/** A row for each of the newest delegates that began. */
function useDelegateLanes(goal: Goal, now: number) {
  const { data } = useQuery(delegatesQuery(goal.goalId));
  const own = (data?.items ?? []).filter(({ depth }) => depth === 1);
  const drawn = own.flatMap((delegate) => {
    const block = delegateBlock(delegate, now);
    const { delegateId: id, task } = delegate;
    return block === null ? [] : [{ id, name: task.slice(0, 80), blocks: [block] }];
  });
  const lanes = drawn.slice(-MOST_LANES);
  return { lanes, earlier: drawn.length - lanes.length };
}
