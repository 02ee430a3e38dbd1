import { useState } from 'react';
import { isApproval, kindWords } from '../../view/inbox-text.ts';
import { ApprovalItem } from './approval-item.tsx';
import { DisputeItem } from './dispute-item.tsx';
import { GoneItem } from './gone-item.tsx';
import type { ItemProps } from './item-props.ts';
import { QuestionItem } from './question-item.tsx';
import { StoppedItem } from './stopped-item.tsx';

/** One item in full, with its answers. */
export function InboxItem(props: Omit<ItemProps, 'onHold'>) {
  const [isHeld, setHeld] = useState(false);
  const { kind } = props.entry.item;
  return (
    <section className="inbox-item" aria-label={kindWords[kind]}>
      <Shown {...props} isHeld={isHeld} onHold={setHeld} />
    </section>
  );
}

function Shown({ isHeld, ...props }: ItemProps & { readonly isHeld: boolean }) {
  const { item, isGone } = props.entry;
  const { kind } = item;
  if (isGone && !isHeld) return <GoneItem {...props} />;
  if (isApproval(kind)) return <ApprovalItem {...props} kind={kind} />;
  if (kind === 'question') return <QuestionItem {...props} />;
  return kind === 'dispute' ? <DisputeItem {...props} /> : <StoppedItem {...props} />;
}
