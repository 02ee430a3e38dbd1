import { useEffect, useRef, useState } from 'react';
import type { HistoryRun } from '../../api/types.ts';
import { Button, PlainButton } from '../../components/button.tsx';
import {
  IconChevronLeft,
  IconChevronRight,
  IconPlayerPause,
  IconPlayerPlay,
} from '../../generated/icons.tsx';
import { useKeys } from '../../shell/keys.ts';
import { clock } from '../../view/format.ts';
import type { Place } from './use-place.ts';

const icon = { size: 15, stroke: 1.75, 'aria-hidden': true } as const;
const PLAY_MS = 160;
/** While the handle is dragged, the service is asked for where it rests. */
const SETTLE_MS = 120;

/** The axis of the record's events: runs above, a handle, steps of one event, and playing. */
export function Scrubber(props: {
  readonly place: Place;
  readonly newest: number;
  readonly runs: readonly HistoryRun[];
  readonly turnNow: number;
}) {
  const { place, newest } = props;
  const [dragged, setDragged] = useState<number | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const { point, goTo, goToNow } = place;
  const current = dragged ?? place.seqAsked ?? (place.isNow ? newest : (point?.seq ?? newest));
  const go = (seq: number) => (seq >= newest ? goToNow() : goTo({ seq: Math.max(1, seq) }));
  const { isWaiting } = place;
  const latest = useRef({ current, go, newest, isWaiting });
  latest.current = { current, go, newest, isWaiting };

  useEffect(() => {
    if (dragged === null) return;
    const settled = setTimeout(() => {
      latest.current.go(dragged);
      setDragged(null);
    }, SETTLE_MS);
    return () => clearTimeout(settled);
  }, [dragged]);
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => {
      const { current: at, newest: end, go: to, isWaiting } = latest.current;
      if (isWaiting) return;
      if (at + 1 >= end) setPlaying(false);
      to(at + 1);
    }, PLAY_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
  const play = () => {
    if (!isPlaying && current >= newest) goTo({ seq: 1 });
    setPlaying(!isPlaying);
  };
  useKeys({
    ArrowLeft: () => go(current - 1),
    ArrowRight: () => go(current + 1),
    ' ': play,
  });

  const at = point === undefined || dragged !== null ? '' : clock(point.at, 'seconds');
  return (
    <section className="scrubber" aria-label="Point in time">
      <Runs {...props} />
      <div className="row">
        <Button
          isSmall
          isIcon
          aria-label="Previous event"
          title="Previous event (←)"
          onClick={() => go(current - 1)}
        >
          <IconChevronLeft {...icon} />
        </Button>
        <Button
          isSmall
          isIcon
          aria-label={isPlaying ? 'Stop' : 'Play'}
          title={`${isPlaying ? 'Stop' : 'Play'} (space)`}
          onClick={play}
        >
          {isPlaying ? <IconPlayerPause {...icon} /> : <IconPlayerPlay {...icon} />}
        </Button>
        <Button
          isSmall
          isIcon
          aria-label="Next event"
          title="Next event (→)"
          disabled={place.isNow}
          onClick={() => go(current + 1)}
        >
          <IconChevronRight {...icon} />
        </Button>
        <input
          type="range"
          className="grow"
          min={1}
          max={Math.max(2, newest)}
          value={current}
          aria-label="Event"
          aria-valuetext={`Event ${current} of ${newest}${at === '' ? '' : `, ${at}`}`}
          onChange={(event) => setDragged(event.currentTarget.valueAsNumber)}
        />
        <span className="tabular text-small scrubber-place">
          <b>{current}</b> of {newest}
          {at === '' ? '' : `, ${at}`}
        </span>
      </div>
    </section>
  );
}

function Runs({
  runs,
  place,
  turnNow,
}: {
  readonly runs: readonly HistoryRun[];
  readonly place: Place;
  readonly turnNow: number;
}) {
  if (runs.length === 0) return null;
  const at = place.point?.turn ?? turnNow;
  const current = runs.findLast(({ firstTurn }) => firstTurn <= Math.max(1, at)) ?? runs[0];
  return (
    <div className="runs-bar" role="group" aria-label="Runs">
      {runs.map((run, index) => {
        const next = runs[index + 1];
        const last = next === undefined ? Math.max(turnNow, run.firstTurn) : next.firstTurn;
        const turns =
          next === undefined ? `from turn ${run.firstTurn}, now` : `turns ${run.firstTurn}–${last}`;
        return (
          <PlainButton
            key={run.number}
            aria-pressed={run === current}
            title={`${run.runId}${run.isKept === false ? ', expired' : ''}`}
            style={{ flexGrow: Math.max(1, last - run.firstTurn) }}
            onClick={() =>
              next === undefined ? place.goToNow() : place.goTo({ at: next.openedAt })
            }
          >
            Run {run.number}, {turns}
          </PlainButton>
        );
      })}
    </div>
  );
}
