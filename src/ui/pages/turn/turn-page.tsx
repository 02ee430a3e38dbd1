import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearchParams } from 'wouter';
import { callKey } from '../../../../schema/model-call-words.ts';
import { modelCallsQuery, newestTurnQuery } from '../../api/model-calls.ts';
import type { Goal, ModelCall } from '../../api/types.ts';
import { buttonClass } from '../../components/button.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { StateBox } from '../../components/state-box.tsx';
import { IconChevronLeft, IconChevronRight, IconMessages } from '../../generated/icons.tsx';
import { leaveControls, useKeys } from '../../shell/keys.ts';
import { AskedCall } from './asked-call.tsx';
import { CallList } from './call-list.tsx';

const icon = { size: 14, stroke: 1.75, 'aria-hidden': true } as const;

/** The model calls of one turn: what each was asked, what it answered and what it took. */
export function TurnPage({ goal, turn }: { readonly goal: Goal; readonly turn: number }) {
  const { goalId } = goal;
  const newest = Math.max(turn, useQuery(newestTurnQuery(goalId)).data ?? 0);
  const calls = useQuery(modelCallsQuery(goalId, turn));
  const [search, setSearch] = useSearchParams();
  const [, navigate] = useLocation();
  const all = calls.data ?? [];
  const asked = search.get('model-call');
  const current = all.find((call) => callKey(call) === asked) ?? all.at(-1);
  const choose = (call: ModelCall | undefined) => {
    if (call !== undefined) setSearch({ 'model-call': callKey(call) }, { replace: true });
  };
  const step = (by: 1 | -1) => {
    leaveControls();
    choose(all[Math.max(0, Math.min(all.length - 1, all.indexOf(current as ModelCall) + by))]);
  };
  const go = (to: number) => to >= 1 && to <= newest && navigate(`/goals/${goalId}/turns/${to}`);
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    '[': () => go(turn - 1),
    ']': () => go(turn + 1),
  });
  return (
    <div className="inspector">
      <nav className="call-list" aria-label={`Model calls of turn ${turn}`}>
        <h2 className="pane-head">
          Turn {turn}
          <span className="grow" />
          <Turns goalId={goalId} turn={turn} newest={newest} />
        </h2>
        {calls.isPending ? <SkeletonLines label="Loading the calls" widths={[70, 80, 60]} /> : null}
        {calls.isError && calls.data === undefined ? (
          <FailedBox what="The calls" error={calls.error} onRetry={() => void calls.refetch()} />
        ) : null}
        {newest > 1 ? (
          <p className="compare-link text-small">
            <Link className="link" href={`/goals/${goalId}/compare?left=${turn}`}>
              Compare with another turn
            </Link>
          </p>
        ) : null}
        <CallList calls={all} current={current} onChoose={choose} />
      </nav>
      {calls.data !== undefined && current === undefined ? (
        <StateBox
          icon={<IconMessages size={28} stroke={1.4} aria-hidden="true" />}
          title="No model was asked in this turn"
          text="The gate alone looked again, or the turn has not begun."
        >
          <Link className={buttonClass({})} href={`/goals/${goalId}?turn=${turn}`}>
            The turn
          </Link>
        </StateBox>
      ) : null}
      {current === undefined ? null : (
        <AskedCall key={callKey(current)} goal={goal} call={current} all={all} />
      )}
    </div>
  );
}

function Turns(props: { readonly goalId: string; readonly turn: number; readonly newest: number }) {
  const { goalId, turn, newest } = props;
  const to = (number: number) => `/goals/${goalId}/turns/${number}`;
  return (
    <>
      {turn > 1 ? (
        <Link className={buttonClass({ look: 'subtle', isSmall: true })} href={to(turn - 1)}>
          <IconChevronLeft {...icon} />
          <span className="visually-hidden">Turn </span>
          {turn - 1}
        </Link>
      ) : null}
      {turn < newest ? (
        <Link className={buttonClass({ look: 'subtle', isSmall: true })} href={to(turn + 1)}>
          <span className="visually-hidden">Turn </span>
          {turn + 1}
          <IconChevronRight {...icon} />
        </Link>
      ) : (
        <span className="pane-note">newest</span>
      )}
    </>
  );
}
