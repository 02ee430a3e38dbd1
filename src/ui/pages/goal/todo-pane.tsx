import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { todosQuery } from '../../api/queries.ts';
import type { Goal, TodoItem } from '../../api/types.ts';
import { PlainButton } from '../../components/button.tsx';
import { EvidenceIcon } from '../../components/evidence-icon.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { Receipt } from '../../components/receipt.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { evidenceOfTodo } from '../../view/evidence.ts';
import { plural } from '../../view/format.ts';
import { ReceiptLine } from './receipt-line.tsx';

/** The list that the service keeps, never one rebuilt from what the model says. */
export function TodoPane({ goal }: { readonly goal: Goal }) {
  const todos = useQuery(todosQuery(goal.goalId));
  const [open, setOpen] = useState<string | null>(null);
  const items = todos.data?.items ?? [];
  const counted = items.filter(({ status }) => status !== 'dropped');
  const done = counted.filter(({ status }) => status === 'completed').length;
  return (
    <section className="pane todo-pane" aria-label="Todo list">
      <div className="pane-head">
        <h2>Todo list</h2>
        {counted.length === 0 ? null : (
          <span className="pane-note">
            {done} of {counted.length} proved
          </span>
        )}
        <span className="grow" />
        <span
          className="text-muted text-small"
          title="It survives crashes, restarts and compaction."
        >
          kept on host
        </span>
      </div>
      {todos.isPending ? (
        <SkeletonLines label="Loading the todo list" widths={[80, 60, 90, 70]} />
      ) : null}
      {todos.isError && todos.data === undefined ? (
        <FailedBox what="The todo list" error={todos.error} onRetry={() => void todos.refetch()} />
      ) : null}
      {todos.isSuccess && items.length === 0 ? (
        <p className="text-muted empty-note">
          The agent has written no list yet. The criteria count without one.
        </p>
      ) : null}
      {items.map((item) => (
        <Item
          key={item.id}
          goalId={goal.goalId}
          item={item}
          isOpen={open === item.id}
          onToggle={() => setOpen(open === item.id ? null : item.id)}
        />
      ))}
    </section>
  );
}

function Item(props: {
  readonly goalId: string;
  readonly item: TodoItem;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const { item, isOpen } = props;
  const state = evidenceOfTodo(item);
  return (
    <div className={`todo-item ${isOpen ? 'open' : ''} ${item.level === 1 ? 'nested' : ''}`}>
      <PlainButton aria-expanded={isOpen} onClick={props.onToggle}>
        <EvidenceIcon state={state} />
        <span>
          <span className={`todo-text ${state === 'dropped' ? 'dropped' : ''}`}>
            {item.content}
          </span>
          <Note item={item} />
        </span>
        <span className="todo-id">{item.id}</span>
      </PlainButton>
      {isOpen ? <Proof goalId={props.goalId} item={item} /> : null}
    </div>
  );
}

function Note({ item }: { readonly item: TodoItem }) {
  if (item.writtenAfter !== undefined) {
    return <span className="todo-note tone-warn">A write came after its receipt</span>;
  }
  switch (item.status) {
    case 'completed':
      return item.acceptedBy === undefined ? null : (
        <span className="todo-note">Accepted by {item.acceptedBy}</span>
      );
    case 'in_progress':
      return <span className="todo-note">{item.activeForm ?? 'In progress, not claimed yet'}</span>;
    case 'dropped':
      return <span className="todo-note">Dropped</span>;
    case 'pending':
      return <span className="todo-note">No receipt yet</span>;
  }
}

function Proof({ goalId, item }: { readonly goalId: string; readonly item: TodoItem }) {
  const { receipts, writtenAfter, result, reason, summary } = item;
  return (
    <div className="todo-proof">
      {receipts.map((seq) => (
        <ReceiptLine key={seq} goalId={goalId} seq={seq} />
      ))}
      {receipts.length === 0 ? (
        <p className="text-muted">
          {item.status === 'completed'
            ? 'No receipt backs it.'
            : 'Would prove it: a receipt that the agent cites with complete_step.'}
        </p>
      ) : null}
      {writtenAfter === undefined ? null : (
        <p className="note tone-warn">
          <b>Written to since:</b> <Receipt seq={writtenAfter.seq} /> changed{' '}
          <span className="mono">{writtenAfter.paths.slice(0, 4).join(', ')}</span>
          {writtenAfter.paths.length > 4
            ? ` and ${plural(writtenAfter.paths.length - 4, 'more file')}`
            : ''}
          . The item stays completed; the gate runs its checks again.
        </p>
      )}
      {[result, summary, reason].map((text) =>
        text === undefined || text === '' ? null : (
          <p key={text} className="note pre-wrap">
            {text}
          </p>
        ),
      )}
    </div>
  );
}
