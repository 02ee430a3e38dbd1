import type { Goal } from '../../api/types.ts';
import { useSaid } from '../../live/live-context.tsx';
import { useNow } from '../../live/now.ts';
import { saysNow } from '../../view/says-now.ts';

/** The model's words while it says them; of one height, so that nothing below it moves. */
export function SaysNow({ goal }: { readonly goal: Goal }) {
  const isActive = goal.status === 'active' && goal.archivedAt === undefined;
  const said = useSaid(goal.goalId);
  const now = useNow();
  if (!isActive) return null;
  const { label, text, isLive, isTail } = saysNow(goal, said, now);
  return (
    <section className="says-now" aria-label="The model says now">
      <p className="text-small text-muted truncate">
        <i className={isLive ? 'says-dot speaking' : 'says-dot'} aria-hidden="true" />
        {label}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <div className="says-words" tabIndex={0} role="group" aria-label="Its words">
        <p className="model-text">
          {isTail ? '… ' : ''}
          {text}
        </p>
      </div>
    </section>
  );
}
