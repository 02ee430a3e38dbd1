import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { saidQuery } from '../../api/inbox.ts';
import { buttonClass } from '../../components/button.tsx';
import { IconChevronLeft, IconClock } from '../../generated/icons.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import type { Entry } from '../../view/inbox-list.ts';
import { itemTitle, kindWords, waitingCost } from '../../view/inbox-text.ts';

/** What waits: its kind, its goal, and what is asked. */
export function ItemHead({ entry: { item, goal } }: { readonly entry: Entry }) {
  const mayAct = useMayAct();
  return (
    <>
      <Link className={buttonClass({ look: 'subtle', isSmall: true }, 'inbox-back')} href="/inbox">
        <IconChevronLeft size={14} stroke={1.75} aria-hidden="true" />
        Inbox
      </Link>
      <p className="row text-small text-muted inbox-where">
        <span className={`tag ${item.holds && mayAct ? 'tone-keeper' : ''}`}>
          {kindWords[item.kind]}
        </span>
        <Link className="link mono" href={`/goals/${goal.goalId}`}>
          {goal.goalId}
        </Link>
        <span className="truncate">{goal.objective}</span>
      </p>
      <h2 className="inbox-title" tabIndex={-1}>
        {itemTitle(item, goal)}
      </h2>
    </>
  );
}

/** The model's own reason, which comes with the question and never instead of the facts. */
export function WhyItAsks(props: {
  readonly goalId: string;
  /** Given with the question; null = it is what the model said last in the turn. */
  readonly why: string | null;
  readonly turn: number | null;
}) {
  const { goalId, why, turn } = props;
  const said = useQuery({ ...saidQuery(goalId, turn), enabled: why === null });
  const text = why ?? said.data ?? '';
  if (text === '') return null;
  return (
    <div className="inbox-why">
      <h3>Why it asks</h3>
      <p className="pre-wrap">{text}</p>
    </div>
  );
}

export function WaitingCost({ entry: { item, goal, isGone } }: { readonly entry: Entry }) {
  if (isGone) return <p role="status">Somebody answered it meanwhile.</p>;
  return (
    <p className="inbox-cost">
      <IconClock size={14} stroke={1.75} aria-hidden="true" />
      {waitingCost(item, goal)}
    </p>
  );
}

/** What is read, and scrolls; the answers stay in sight below it. */
export function ItemBody({ children }: { readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section className="inbox-body" tabIndex={0} aria-label="Question in full">
      {children}
    </section>
  );
}

/** Words that are being typed are not taken away by somebody else's answer. */
export function useHold(onHold: (isHeld: boolean) => void, isHeld: boolean): void {
  useEffect(() => {
    onHold(isHeld);
    return () => onHold(false);
  }, [onHold, isHeld]);
}
