import { memo } from 'react';
import { ruleText } from '../../../../schema/rule-text.ts';
import { outcomeOf, outcomeWords } from '../../../../schema/turn-outcome.ts';
import { turnTitle } from '../../../../schema/turn-title.ts';
import type { Goal, Turn, TurnOutline } from '../../api/types.ts';
import { PlainButton } from '../../components/button.tsx';
import { useNow } from '../../live/now.ts';
import { useMayAct } from '../../session/session-context.tsx';
import { nextAct } from '../../view/actor.ts';
import { compact, dollars, duration } from '../../view/format.ts';
import { turnCost } from '../../view/turn-cost.ts';
import { TurnBody } from './turn-body.tsx';

export const TurnRow = memo(function TurnRow(props: {
  readonly goal: Goal;
  readonly turn: Turn;
  readonly timeline: readonly TurnOutline[];
  readonly isOpen: boolean;
  readonly isCurrent: boolean;
  readonly onToggle: (turn: number) => void;
}) {
  const { goal, turn, isOpen } = props;
  const { decision } = turn;
  const mayAct = useMayAct();
  const outline = { ...turn, action: decision?.action ?? null, rule: decision?.rule ?? null };
  const isNewest = props.timeline[0]?.turn === turn.turn;
  const waits = isNewest && nextAct(goal, mayAct).kind === 'you';
  const tone = waits ? 'approval' : outcomeOf(outline);
  const cost = turnCost(props.timeline, turn.turn);
  const rule = decision === null ? '' : `: ${ruleText(decision.rule, decision.ruleName)}`;
  return (
    <article
      className={[
        'turn',
        isNewest && turn.state === 'open' ? 'now' : '',
        props.isCurrent ? 'current' : '',
      ]
        .filter(Boolean)
        .join(' ')}
      id={`turn-${turn.turn}`}
    >
      <PlainButton aria-expanded={isOpen} onClick={() => props.onToggle(turn.turn)}>
        <span className="turn-number">{turn.turn}</span>
        <span className={`turn-kind turn-kind-${tone}`} title={`${outcomeWords[tone]}${rule}`} />
        <span className="truncate turn-title" title={turnTitle(turn)}>
          {turnTitle(turn)}
        </span>
        <span className="turn-facts">
          <Mark action={waits ? 'waits' : (decision?.action ?? null)} state={turn.state} />
          <span className="turn-fact">{cost === null ? '' : costText(cost)}</span>
          <span className="turn-fact turn-duration">
            <Took turn={turn} />
          </span>
        </span>
      </PlainButton>
      {isOpen ? <TurnBody goal={goal} turn={turn} cost={cost} isNewest={isNewest} /> : null}
    </article>
  );
});

const costText = ({ costUsd, tokens }: { costUsd: number; tokens: number }): string =>
  costUsd > 0 ? dollars(costUsd) : compact(tokens);

function Took({ turn }: { readonly turn: Turn }) {
  const now = useNow();
  const end = turn.settledAt === null ? now : Date.parse(turn.settledAt);
  return <>{duration(Math.max(0, (end - Date.parse(turn.startedAt)) / 1000))}</>;
}

function Mark({
  action,
  state,
}: {
  readonly action: string | null;
  readonly state: Turn['state'];
}) {
  if (action === 'waits') return <span className="tag tone-keeper">waits for you</span>;
  if (state === 'open') return <span className="tag tone-accent">runs</span>;
  if (action === 'refuse') return <span className="tag tone-bad">refused</span>;
  if (action === 'nudge') return <span className="tag tone-warn">nudged</span>;
  if (action === 'complete') return <span className="tag tone-ok">complete</span>;
  return null;
}
