import type { ComponentType } from 'react';
import { PlainButton } from '../../components/button.tsx';
import { Since } from '../../components/since.tsx';
import {
  IconAdjustmentsHorizontal,
  IconCheck,
  IconCoin,
  IconListCheck,
  IconMessage,
  IconPlayerPause,
  IconScale,
  IconShieldCheck,
  IconTerminal2,
} from '../../generated/icons.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import type { Entry } from '../../view/inbox-list.ts';
import { type InboxKind, itemTitle, kindWords } from '../../view/inbox-text.ts';

const icons: Readonly<Record<InboxKind, ComponentType<{ size: number; stroke: number }>>> = {
  tool: IconTerminal2,
  basis: IconShieldCheck,
  manual: IconListCheck,
  criterion: IconCheck,
  approval: IconCheck,
  completion: IconShieldCheck,
  unknown_effect: IconTerminal2,
  requirement: IconListCheck,
  requirement_change: IconListCheck,
  scope_change: IconAdjustmentsHorizontal,
  plan: IconListCheck,
  question: IconMessage,
  dispute: IconScale,
  budget: IconCoin,
  pause: IconPlayerPause,
};

/** What holds a goal, and what can wait. */
export function InboxList(props: {
  readonly entries: readonly Entry[];
  readonly chosen: string | null;
  readonly more: number;
  readonly onChoose: (itemId: string) => void;
}) {
  const mayAct = useMayAct();
  const groups = [
    ['Hold a goal', props.entries.filter(({ item }) => item.holds)],
    ['Can wait', props.entries.filter(({ item }) => !item.holds)],
  ] as const;
  return (
    <nav className="inbox-list" aria-label="Waits for a person">
      {groups.map(([title, entries]) =>
        entries.length === 0 ? null : (
          <section key={title} aria-label={title}>
            <h2>
              {title}{' '}
              <span className={title === 'Can wait' || !mayAct ? 'tab-note' : 'keeper-count'}>
                {entries.filter(({ isGone }) => !isGone).length}
              </span>
            </h2>
            {entries.map((entry) => (
              <Row
                key={entry.item.itemId}
                entry={entry}
                isChosen={entry.item.itemId === props.chosen}
                onChoose={() => props.onChoose(entry.item.itemId)}
              />
            ))}
          </section>
        ),
      )}
      {props.more > 0 ? (
        <p className="text-small text-muted empty-note">
          {props.more} more come once these are done.
        </p>
      ) : null}
    </nav>
  );
}

function Row(props: {
  readonly entry: Entry;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const { item, goal, isGone } = props.entry;
  const mayAct = useMayAct();
  const Icon = icons[item.kind];
  const isMine = item.holds && mayAct && !isGone;
  return (
    <PlainButton
      className={`inbox-row ${isGone ? 'gone' : ''}`}
      data-item={item.itemId}
      aria-current={props.isChosen}
      onClick={props.onChoose}
    >
      <span className={`inbox-icon ${isMine ? 'holds' : ''}`} aria-hidden="true">
        <Icon size={15} stroke={1.75} />
      </span>
      <span className="grow">
        <b className="clamp-2">{itemTitle(item, goal)}</b>
        <span className="truncate text-small text-muted inbox-row-where">
          {isGone ? 'No longer waits' : kindWords[item.kind]}, {goal.workspace.name}
        </span>
      </span>
      <span className="text-small text-muted tabular">
        <Since at={item.since} />
      </span>
    </PlainButton>
  );
}
