import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { inboxQuery } from '../../api/inbox.ts';
import type { Inbox } from '../../api/types.ts';
import { buttonClass } from '../../components/button.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { StateBox } from '../../components/state-box.tsx';
import { IconCheck } from '../../generated/icons.tsx';
import { useKeys } from '../../shell/keys.ts';
import { useTitle } from '../../shell/use-title.ts';
import {
  entriesOf,
  indexOf,
  nextAfter,
  type Place,
  stepFrom,
  withKept,
} from '../../view/inbox-list.ts';
import { InboxHead } from './inbox-head.tsx';
import { InboxItem } from './inbox-item.tsx';
import { InboxList } from './inbox-list.tsx';

const loading = <SkeletonLines label="Loading the inbox" widths={[60, 80, 50, 70]} />;

/** All that waits for a person, answered in place. */
export function InboxPage() {
  useTitle('Inbox');
  const inbox = useQuery(inboxQuery);
  return (
    <>
      <InboxHead inbox={inbox.data} />
      {inbox.isPending ? loading : null}
      {inbox.isError && inbox.data === undefined ? (
        <FailedBox what="The inbox" error={inbox.error} onRetry={() => void inbox.refetch()} />
      ) : null}
      {inbox.data === undefined ? null : <Loaded inbox={inbox.data} />}
    </>
  );
}

function Loaded({ inbox }: { readonly inbox: Inbox }) {
  const client = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const entries = useMemo(() => entriesOf(inbox), [inbox]);
  const isNarrow = useMediaQuery('(max-width: 860px)', false, { getInitialValueInEffect: false });
  const named = search.get('item');
  // What is shown stays, whatever comes before it or goes: a key must not meet another item.
  const [standing, setStanding] = useState<string | null>(null);
  const chosen = named ?? standing ?? entries[0]?.item.itemId ?? null;
  if (chosen !== standing) setStanding(chosen);

  const seen = useRef<Place | null>(null);
  const at = indexOf(entries, chosen);
  const entry = entries[at];
  if (entry !== undefined) seen.current = { entry, index: at };
  const isSeen = seen.current?.entry.item.itemId === chosen;
  const shown = withKept(entries, isSeen ? seen.current : null);
  const current = shown[indexOf(shown, chosen)];

  const focus = useFocus(chosen);
  const choose = (itemId: string | null, opens: 'opens' | 'goes on' = 'goes on') => {
    focus.next();
    setStanding(itemId);
    // On a phone the item is a page of its own, from which one goes back.
    const isAlone = isNarrow && itemId !== null;
    const after = isAlone ? { item: itemId } : {};
    setSearch(after, { replace: !(isAlone && opens === 'opens') });
  };
  const step = (by: 1 | -1) => choose(stepFrom(shown, chosen, by));
  useKeys({ j: () => step(1), k: () => step(-1) });

  const answered = (itemId: string) => {
    const next = nextAfter(shown, itemId);
    // The service took it: no list has to say so first.
    client.setQueryData(inboxQuery.queryKey, (before) => before && without(before, itemId));
    void client.invalidateQueries({ queryKey: inboxQuery.queryKey });
    if (chosen === itemId) {
      seen.current = null;
      choose(next);
    }
  };
  // News of the answer may come before the answer's own end, and another item be shown by then.
  const latest = useRef(answered);
  latest.current = answered;
  if (shown.length === 0) return <Nothing isNamed={named !== null} />;
  const place = (
    <span className="inbox-place text-small text-muted tabular desktop-only">
      <kbd>j</kbd> <kbd>k</kbd> {indexOf(shown, chosen) + 1} of {shown.length}
    </span>
  );
  return (
    <div className={`inbox-page ${named === null ? '' : 'one'}`}>
      <InboxList
        entries={shown}
        chosen={chosen}
        more={inbox.total - entries.length}
        onChoose={(itemId) => choose(itemId, 'opens')}
      />
      {current === undefined ? (
        <Nothing isNamed />
      ) : (
        <InboxItem
          key={current.item.itemId}
          entry={current}
          place={place}
          onAnswered={() => latest.current(current.item.itemId)}
        />
      )}
    </div>
  );
}

const without = (inbox: Inbox, itemId: string): Inbox => {
  const items = inbox.items.filter((item) => item.itemId !== itemId);
  return { ...inbox, items, total: inbox.total - (inbox.items.length - items.length) };
};

/** Follows what is shown by keys and answers: to its row, or to its title where no list is. */
function useFocus(chosen: string | null) {
  const isWanted = useRef(false);
  useEffect(() => {
    if (!isWanted.current) return;
    isWanted.current = false;
    const row =
      chosen === null
        ? null
        : document.querySelector<HTMLElement>(`.inbox-row[data-item="${CSS.escape(chosen)}"]`);
    const isInSight = row !== null && row.offsetParent !== null;
    const target = isInSight ? row : document.querySelector<HTMLElement>('.inbox-title, #main');
    target?.focus({ preventScroll: !isInSight });
  }, [chosen]);
  return {
    next: () => {
      isWanted.current = true;
    },
  };
}

function Nothing({ isNamed }: { readonly isNamed: boolean }) {
  return (
    <StateBox
      icon={<IconCheck size={28} stroke={1.4} aria-hidden="true" />}
      title={isNamed ? 'This waits no longer' : 'Nothing waits for you'}
      text="Questions, approvals, proposals and disputes come here, and this page’s title shows their number."
    >
      {isNamed ? (
        <Link className={buttonClass({})} href="/inbox">
          To the inbox
        </Link>
      ) : (
        <Link className={buttonClass({})} href="/goals">
          Back to goals
        </Link>
      )}
    </StateBox>
  );
}
