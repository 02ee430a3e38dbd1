import { useQuery } from '@tanstack/react-query';
import { turnCallsQuery } from '../../api/queries.ts';
import type { Goal, Turn } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { IconActivity, IconArrowDown } from '../../generated/icons.tsx';
import { usePrinted, useSaid } from '../../live/live-context.tsx';
import { useNow } from '../../live/now.ts';
import { useMayAct } from '../../session/session-context.tsx';
import { duration } from '../../view/format.ts';
import { liveHead, runningCall } from '../../view/live-head.ts';
import { useFollowing } from './following.tsx';

const icon = { size: 14, stroke: 1.75, 'aria-hidden': true } as const;

/** One line that says what happens this second. */
export function LiveHeadBar(props: {
  readonly goal: Goal;
  /** The newest turn; null until it is loaded. */
  readonly turn: Turn | null;
  readonly hasMap: boolean;
  readonly onMap: () => void;
}) {
  const { goal, turn, hasMap, onMap } = props;
  const following = useFollowing();
  const now = useNow();
  const mayAct = useMayAct();
  const said = useSaid(goal.goalId);
  const query = turnCallsQuery(goal.goalId, turn ?? { turn: 0, state: 'open' });
  const calls = useQuery({ ...query, enabled: turn !== null }).data?.items ?? [];
  const printed = usePrinted(goal.goalId, runningCall(calls)?.callId ?? null);
  const seen = { turn, calls, said, printedAt: printed?.heardAt ?? null };
  const { kind, words, subject, since, note } = liveHead(goal, seen, mayAct, now);
  const place = placeText(goal);
  return (
    <div className="live-head">
      <h2 className="visually-hidden">Turns</h2>
      <i className={marks[kind]} aria-hidden="true" />
      {/* What ticks is not read aloud; what changes with the call is. */}
      <span className="visually-hidden" role="status">
        {words} {subject}
      </span>
      <span className="live-words" aria-hidden="true">
        <b className="truncate">
          {words}
          {subject === '' ? null : <span className="mono"> {subject}</span>}
        </b>
        {since === null ? null : <b className="tabular">, {seconds(now - since)}</b>}
        {note === '' ? null : <span className="tone-warn tabular">{note}</span>}
      </span>
      <span className="grow" />
      {place === '' ? null : (
        <span className="text-small text-muted tabular desktop-only">{place}</span>
      )}
      {kind === 'works' && !following.isOn ? (
        <Button
          look="subtle"
          isSmall
          title="Follow the end (f)"
          onClick={() => following.set(true)}
        >
          <IconArrowDown {...icon} />
          Follow
        </Button>
      ) : null}
      <Button
        look="subtle"
        isSmall
        isIcon
        aria-label="Map of turns"
        aria-pressed={hasMap}
        title="Map of turns (m)"
        onClick={onMap}
      >
        <IconActivity {...icon} />
      </Button>
    </div>
  );
}

const marks = { works: 'spinner', waits: 'mark-waits', holds: 'mark-holds', over: 'mark-over' };

const seconds = (milliseconds: number): string => {
  const whole = Math.max(0, Math.floor(milliseconds / 1000));
  return whole < 60 ? `${whole} s` : duration(whole);
};

function placeText({ usage, budget }: Goal): string {
  const { turns } = usage.own;
  if (turns === 0) return '';
  return budget.turns == null ? `turn ${turns}` : `turn ${turns} of ${budget.turns}`;
}
