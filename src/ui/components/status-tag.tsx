import type { Goal } from '../api/types.ts';
import { statusWords } from '../view/status-words.ts';

const shapes = {
  active: (
    <>
      <circle cx="8" cy="8" r="6" />
      <circle cx="8" cy="8" r="2.6" fill="currentColor" stroke="none" />
    </>
  ),
  paused: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.4 5.7v4.6M9.6 5.7v4.6" strokeLinecap="round" />
    </>
  ),
  budget_limited: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M5 5.6h6M8 11V8M6.2 9 8 7.2 9.8 9" strokeLinecap="round" strokeLinejoin="round" />
    </>
  ),
  complete: (
    <>
      <circle cx="8" cy="8" r="6.8" fill="currentColor" stroke="none" />
      <path
        d="m5 8.2 2.1 2.1L11 6.3"
        stroke="var(--surface)"
        strokeWidth="1.7"
        strokeLinecap="round"
      />
    </>
  ),
  by_hand: (
    <>
      <circle cx="8" cy="8" r="6" strokeDasharray="2.6 1.9" />
      <path d="m5.5 8.2 1.8 1.8 3.2-3.4" />
    </>
  ),
};

/** The status tag. A goal that a person declared complete never looks like a proved one. */
export function StatusTag({ goal }: { readonly goal: Pick<Goal, 'status' | 'completion'> }) {
  const isByHand = goal.status === 'complete' && goal.completion?.source === 'person';
  const shape = isByHand ? 'by_hand' : goal.status;
  return (
    <span className={`status-tag ${shape}`}>
      <svg
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        aria-hidden="true"
      >
        {shapes[shape]}
      </svg>
      {isByHand ? 'By hand' : statusWords[goal.status]}
    </span>
  );
}
