import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { logVerdictQuery, readWholeLog, securityLogQuery } from '../../api/access.ts';
import type { LogFilter } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { Button, PlainButton } from '../../components/button.tsx';
import { download } from '../../components/download.ts';
import { FailedBox } from '../../components/failed-box.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { StateBox } from '../../components/state-box.tsx';
import { IconDownload, IconShieldCheck, IconShieldX } from '../../generated/icons.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useToast } from '../../shell/toasts.tsx';
import { plural } from '../../view/format.ts';
import {
  eventWords,
  exportedLog,
  filterOf,
  logEvents,
  logVerdictText,
} from '../../view/security-text.ts';
import { SecurityTable } from './security-table.tsx';
import { SettingsHead } from './settings-head.tsx';

/** So often the newest page is read again, until somebody turned to older ones. */
const EVERY_MS = 15_000;

/** Who did what from where, and what was refused. */
export function SecurityTab() {
  const [search, setSearch] = useSearchParams();
  const filter = filterOf(search);
  const isOffline = useIsOffline();
  const log = useInfiniteQuery({
    ...securityLogQuery(filter),
    refetchInterval: ({ state }) =>
      isOffline || (state.data?.pages.length ?? 0) > 1 ? false : EVERY_MS,
  });
  const set = (name: keyof LogFilter, value: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === '') after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  const entries = log.data?.pages.flatMap(({ items }) => items) ?? [];
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <SettingsHead>
        <Export filter={filter} />
      </SettingsHead>
      <Filters filter={filter} onSet={set} />
      {log.isPending ? (
        <SkeletonLines label="Loading the security log" widths={[90, 80, 85, 70, 88]} />
      ) : null}
      {log.isError && log.data === undefined ? (
        <FailedBox what="The security log" error={log.error} onRetry={() => void log.refetch()} />
      ) : null}
      {log.isSuccess && entries.length === 0 ? (
        <StateBox
          icon={<IconShieldCheck size={28} stroke={1.4} aria-hidden="true" />}
          title={isFiltered ? 'No entry matches' : 'No entry yet'}
          text="The log keeps sign-ins, tokens, and all that was refused. A principal’s name has to be whole."
        >
          {isFiltered ? (
            <Button onClick={() => setSearch(new URLSearchParams())}>Clear filters</Button>
          ) : null}
        </StateBox>
      ) : null}
      {entries.length > 0 ? (
        <SecurityTable entries={entries} onWho={(who) => set('who', who)} />
      ) : null}
      {log.hasNextPage ? (
        <Button
          isSmall
          className="load-older"
          disabled={log.isFetchingNextPage || isOffline}
          onClick={() => void log.fetchNextPage()}
        >
          {log.isFetchingNextPage ? 'Loading…' : 'Older entries'}
        </Button>
      ) : null}
    </>
  );
}

function Filters(props: {
  readonly filter: LogFilter;
  readonly onSet: (name: keyof LogFilter, value: string) => void;
}) {
  const { filter, onSet } = props;
  return (
    <div className="ledger-filters">
      <SearchField
        label="Principal"
        placeholder="Principal, its whole name"
        value={filter.who ?? ''}
        onChange={(who) => onSet('who', who.trim())}
      />
      <select
        className="field"
        aria-label="Event"
        value={filter.what ?? ''}
        onChange={(event) => onSet('what', event.currentTarget.value)}
      >
        <option value="">All events</option>
        {logEvents.map((event) => (
          <option key={event} value={event}>
            {eventWords[event]}
          </option>
        ))}
      </select>
      <select
        className="field"
        aria-label="Result"
        value={filter.result ?? ''}
        onChange={(event) => onSet('result', event.currentTarget.value)}
      >
        <option value="">Any result</option>
        <option value="done">Done</option>
        <option value="refused">Refused</option>
      </select>
      <span className="grow" />
      <Verdict />
    </div>
  );
}

/** Whether every entry is what was written. */
function Verdict() {
  const isOffline = useIsOffline();
  const check = useQuery(logVerdictQuery);
  const { data, isFetching, error } = check;
  if (data === undefined && isFetching) return <span className="tag chain-state">Checking…</span>;
  const holds = data?.holds === true;
  const Icon = holds ? IconShieldCheck : IconShieldX;
  return (
    <PlainButton
      className={`tag chain-state ${holds ? 'tone-ok' : 'tone-bad'}`}
      title={
        holds ? 'Check every entry now' : `${data?.problem ?? error?.message} ${data?.wayOut ?? ''}`
      }
      disabled={isFetching || isOffline}
      onClick={() => void check.refetch()}
    >
      <Icon size={14} stroke={1.75} aria-hidden="true" />
      {isFetching ? 'Checking…' : data === undefined ? 'Not checked' : logVerdictText(data)}
    </PlainButton>
  );
}

/** All that the filter leaves, as a file of one entry a line. */
function Export({ filter }: { readonly filter: LogFilter }) {
  const toast = useToast();
  const isOffline = useIsOffline();
  const read = useAct({
    mutationFn: () => readWholeLog(filter),
    onSuccess: (entries) => {
      download('security.jsonl', 'application/jsonl', exportedLog(entries));
      toast(`${plural(entries.length, 'entry', 'entries')} exported.`);
    },
    onError: (error) => toast(error.message),
  });
  return (
    <Button
      disabled={read.isPending || isOffline}
      title="As goalkeeper security-log --json writes it"
      onClick={() => read.mutate()}
    >
      <IconDownload size={14} stroke={1.75} aria-hidden="true" />
      {read.isPending ? 'Exporting…' : 'Export'}
    </Button>
  );
}
