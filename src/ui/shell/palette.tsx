import { Modal } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { inboxQuery } from '../api/inbox.ts';
import {
  foundCallsQuery,
  foundTurnsQuery,
  goalQuery,
  goalsQuery,
  searchQuery,
} from '../api/queries.ts';
import type { Goal } from '../api/types.ts';
import { ActorChip } from '../components/actor-chip.tsx';
import { loadingDialog } from '../components/dialog.tsx';
import { lazyView } from '../components/lazy-view.tsx';
import { StatusTag } from '../components/status-tag.tsx';
import { useIsOffline } from '../live/live-context.tsx';
import { useSettled } from '../pages/new/use-settled.ts';
import { useMayAct, useMayPause, useSeesAll } from '../session/session-context.tsx';
import { dollars } from '../view/format.ts';
import {
  type Deed,
  foundGoal,
  foundIn,
  foundInAll,
  goalActs,
  goalPlaces,
  matchesQuery,
  type PaletteEntry,
  pagesFor,
  type Searched,
} from '../view/palette.ts';
import { useToast } from './toasts.tsx';

const GoalDialog = lazyView(
  'The dialog',
  loadingDialog,
  async () => (await import('../pages/goal/dialogs/goal-dialog.tsx')).GoalDialog,
);
const TemplateDialog = lazyView(
  'The templates',
  loadingDialog,
  async () => (await import('../pages/new/template-dialog.tsx')).TemplateDialog,
);

/** What a chosen act asks, once the list of acts is gone. */
type Asking = Extract<Deed, { kind: 'dialog' | 'template' }> & { readonly goal: Goal | undefined };

/** Acts on the goal of the page or on a found one, leads to goals and pages, searches them. */
export function Palette(props: { readonly path: string; readonly onClose: () => void }) {
  const { onClose } = props;
  const [asking, setAsking] = useState<Asking | null>(null);
  if (asking === null) return <Choosing {...props} onAsk={setAsking} />;
  if (asking.kind === 'template') {
    return <TemplateDialog workspace={asking.workspace} onClose={onClose} />;
  }
  if (asking.goal === undefined) return null;
  return <GoalDialog name={asking.dialog} goal={asking.goal} onClose={onClose} />;
}

/** Letters are typed faster than the service is asked. */
const CALM_MS = 150;
/** Shorter words stand everywhere. */
const LEAST_SEARCHED = 2;

function Choosing(props: {
  readonly path: string;
  readonly onClose: () => void;
  readonly onAsk: (asking: Asking) => void;
}) {
  const { onClose, onAsk } = props;
  const [, navigate] = useLocation();
  const toast = useToast();
  const listId = useId();
  const [query, setQuery] = useState('');
  const [subject, setSubject] = useState(() => goalOf(props.path));
  const [at, setAt] = useState(0);
  const { data: goal } = useQuery({ ...goalQuery(subject ?? ''), enabled: subject !== null });
  const { entries, lookOn } = useEntries(subject === null ? undefined : goal, query.trim());
  const current = entries[Math.min(at, entries.length - 1)];
  const isOpen = useOpened();

  const show = (next: string, about = subject) => {
    setQuery(next);
    setSubject(about);
    setAt(0);
  };
  const act = ({ deed }: PaletteEntry) => {
    if (deed.kind === 'search') return lookOn();
    if (deed.kind === 'dialog' || deed.kind === 'template') return onAsk({ ...deed, goal });
    onClose();
    if (deed.kind === 'go') return navigate(deed.path);
    void navigator.clipboard.writeText(deed.text).then(
      () => toast('Copied.'),
      () => toast(`The browser did not allow it: ${deed.text}`),
    );
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const { selectionStart, value } = event.currentTarget;
    const isAtEnd = selectionStart === value.length;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined)
      setAt((Math.min(at, entries.length - 1) + step + entries.length) % entries.length);
    else if (event.key === 'Enter' && current !== undefined) act(current);
    else if (event.key === 'ArrowRight' && isAtEnd && current?.goal !== undefined) {
      show('', current.goal.goalId);
    } else if (event.key === 'Backspace' && value === '' && subject !== null) show('', null);
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      withCloseButton={false}
      size={680}
      yOffset="12vh"
      padding={0}
      transitionProps={{ duration: 0 }}
      classNames={{ content: 'palette', body: 'palette-body' }}
      attributes={{ content: { 'aria-label': 'Do or jump to' } }}
    >
      <input
        className="palette-query"
        placeholder="Do something, or jump to a goal"
        role="combobox"
        aria-label="Do or jump to"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={current === undefined ? undefined : `${listId}-${current.id}`}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={query}
        onChange={(event) => show(event.currentTarget.value)}
        onKeyDown={press}
      />
      {subject !== null && goal !== undefined ? <Subject goal={goal} /> : null}
      <Choices listId={listId} entries={entries} current={current} onChoose={act} />
      <p className="palette-foot text-small text-muted">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>↵</kbd> do it
        </span>
        {current?.goal === undefined ? null : (
          <span>
            <kbd>→</kbd> act on this goal
          </span>
        )}
        {subject === null || query !== '' ? null : (
          <span>
            <kbd>⌫</kbd> all goals
          </span>
        )}
        <span>
          <kbd>Esc</kbd> close
        </span>
      </p>
    </Modal>
  );
}

/** The library notes where the focus was only as a closed dialog opens. */
function useOpened(): boolean {
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => setOpen(true), []);
  return isOpen;
}

function goalOf(path: string): string | null {
  const [, goalId] = /^\/goals\/([^/]+)/.exec(path) ?? [];
  return goalId === undefined ? null : decodeURIComponent(goalId);
}

interface Entries {
  readonly entries: readonly PaletteEntry[];
  /** Looks for the typed words in all goals; again: further back. */
  readonly lookOn: () => void;
}

function useEntries(goal: Goal | undefined, query: string): Entries {
  const mayAct = useMayAct();
  const rights = { mayAct, mayPause: useMayPause(), seesAll: useSeesAll() };
  const isOffline = useIsOffline();
  const { data: inbox } = useQuery({ ...inboxQuery, enabled: mayAct });
  const calm = useSettled(query, CALM_MS);
  const asked = { sort: 'updated' as const, limit: 8, ...(calm === '' ? {} : { q: calm }) };
  const goals = useInfiniteQuery(goalsQuery(asked)).data?.pages[0]?.items ?? [];
  const searches = goal !== undefined && calm.length >= LEAST_SEARCHED;
  const goalId = goal?.goalId ?? '';
  const { data: turns } = useQuery({ ...foundTurnsQuery(goalId, calm), enabled: searches });
  const { data: calls } = useQuery({ ...foundCallsQuery(goalId, calm), enabled: searches });
  const named = (entries: readonly PaletteEntry[]) =>
    query === '' ? entries : entries.filter((entry) => matchesQuery(entry, query));
  const acts = goal === undefined ? [] : goalActs(goal, inbox, rights);
  const entries = [
    // Without the service nothing can be done, and what is known can be looked at.
    ...named(isOffline ? acts.filter(({ deed }) => deed.kind === 'copy') : acts),
    ...named(goal === undefined ? [] : goalPlaces(goal, query)),
    ...goals
      .filter((one) => one.goalId !== goal?.goalId)
      .slice(0, query === '' && goal !== undefined ? 3 : undefined)
      .map(foundGoal),
    ...named(pagesFor(rights)),
    ...(searches ? foundIn(goal, calm, { turns: turns ?? [], calls: calls ?? [] }) : []),
  ];
  const { searched, lookOn } = useSearch(query);
  const mayLook = query.length >= LEAST_SEARCHED && !isOffline;
  return { entries: [...entries, ...(mayLook ? foundInAll(query, searched) : [])], lookOn };
}

/** All goals are searched once somebody asks for it: each look takes the service a second. */
function useSearch(query: string): { searched: Searched | null; lookOn: () => void } {
  const [asked, setAsked] = useState<string | null>(null);
  const isAsked = asked === query;
  const search = useInfiniteQuery({ ...searchQuery(query), enabled: isAsked });
  const found = search.data?.pages.flatMap(({ items }) => items) ?? [];
  const searched = isAsked
    ? {
        ...{ found, isLooking: search.isFetching, hasMore: search.hasNextPage },
        problem: search.error?.message ?? null,
      }
    : null;
  const lookOn = () => {
    if (!isAsked) setAsked(query);
    else if (search.isFetching) return;
    else if (search.hasNextPage) void search.fetchNextPage();
    else if (search.isError) void search.refetch();
  };
  return { searched, lookOn };
}

/** The goal that the acts are about. */
function Subject({ goal }: { readonly goal: Goal }) {
  const { costUsd } = goal.usage;
  const limit = goal.budget.costUsd;
  return (
    <p className="palette-subject">
      <StatusTag goal={goal} />
      <span className="truncate palette-objective">{goal.objective}</span>
      <ActorChip goal={goal} />
      <span className="grow" />
      <span className="text-small text-muted tabular">
        {dollars(costUsd)}
        {limit === null ? '' : ` of ${dollars(limit)}`}
      </span>
    </p>
  );
}

function Choices(props: {
  readonly listId: string;
  readonly entries: readonly PaletteEntry[];
  readonly current: PaletteEntry | undefined;
  readonly onChoose: (entry: PaletteEntry) => void;
}) {
  const { listId, entries, current, onChoose } = props;
  const shown = current === undefined ? '' : `${listId}-${current.id}`;
  useEffect(() => {
    document.getElementById(shown)?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  if (entries.length === 0) return <p className="palette-none">Nothing by these words.</p>;
  return (
    <div className="palette-list" id={listId} role="listbox" aria-label="Results">
      {entries.map((entry, index) => (
        <div key={entry.id} role="presentation">
          {entries[index - 1]?.group === entry.group ? null : (
            <p className="palette-group" role="presentation">
              {entry.group}
            </p>
          )}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys */}
          <div
            id={`${listId}-${entry.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={entry === current}
            className="palette-entry"
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(entry)}
          >
            <span className={`truncate grow ${entry.isCode === true ? 'mono' : ''}`}>
              {entry.words}
            </span>
            {entry.within === undefined ? null : (
              <span className="palette-within truncate text-small text-muted" title={entry.within}>
                {entry.within}
              </span>
            )}
            {entry.goal === undefined || entry.within !== undefined ? null : (
              <ActorChip goal={entry.goal} />
            )}
            {entry.shownKey === undefined ? null : <kbd>{entry.shownKey}</kbd>}
          </div>
        </div>
      ))}
    </div>
  );
}
