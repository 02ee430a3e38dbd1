import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { callsQuery } from '../../api/queries.ts';
import type { CallQuery, Goal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { StateBox } from '../../components/state-box.tsx';
import { IconSearch } from '../../generated/icons.tsx';
import { toolChoices } from '../../view/tool-choices.ts';
import { ChainState } from './chain-state.tsx';
import { LedgerTable } from './ledger-table.tsx';

const outcomes = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  refused: 'Refused',
  unknown: 'End not seen',
  running: 'Running',
} as const;
const results = Object.keys(outcomes) as (keyof typeof outcomes)[];

/** Did that command run, when, and what did it print? The service searches, also in outputs. */
export function LedgerPage({ goal }: { readonly goal: Goal }) {
  const [search, setSearch] = useSearchParams();
  const q = search.get('q') ?? '';
  const tool = search.get('tool') ?? '';
  const outcome = results.find((one) => one === search.get('outcome'));
  const query: CallQuery = {
    ...(q === '' ? {} : { q }),
    ...(tool === '' ? {} : { tool }),
    ...(outcome === undefined ? {} : { outcome }),
  };
  const calls = useInfiniteQuery(callsQuery(goal.goalId, query));
  const change = (name: string, value: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === '') after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  const items = calls.data?.pages.flatMap((page) => page.items) ?? [];
  const tools = toolChoices(
    items.map((call) => call.tool),
    tool,
  );
  const isFiltered = q !== '' || tool !== '' || outcome !== undefined;
  return (
    <>
      <div className="ledger-filters">
        <SearchField
          label="Search the ledger"
          placeholder="Command, path, output, hash"
          value={q}
          onChange={(value) => change('q', value)}
        />
        <select
          className="field"
          aria-label="Tool"
          value={tool}
          onChange={(event) => change('tool', event.currentTarget.value)}
        >
          <option value="">All tools</option>
          {tools.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <select
          className="field"
          aria-label="Result"
          value={outcome ?? ''}
          onChange={(event) => change('outcome', event.currentTarget.value)}
        >
          <option value="">Any result</option>
          {results.map((name) => (
            <option key={name} value={name}>
              {outcomes[name]}
            </option>
          ))}
        </select>
        <span className="grow" />
        <ChainState goalId={goal.goalId} />
      </div>
      {calls.isPending ? (
        <SkeletonLines label="Loading the ledger" widths={[90, 80, 85, 70, 88]} />
      ) : null}
      {calls.isError && calls.data === undefined ? (
        <FailedBox what="The ledger" error={calls.error} onRetry={() => void calls.refetch()} />
      ) : null}
      {calls.isSuccess && items.length === 0 ? (
        <StateBox
          icon={<IconSearch size={28} stroke={1.4} aria-hidden="true" />}
          title={isFiltered ? 'No call matches' : 'No call yet'}
          text="The ledger keeps every call, also failed and refused ones."
        >
          {isFiltered ? (
            <Button onClick={() => setSearch(new URLSearchParams())}>Clear filters</Button>
          ) : null}
        </StateBox>
      ) : null}
      {items.length > 0 ? (
        <LedgerTable
          calls={items}
          hasMore={calls.hasNextPage && !calls.isFetchingNextPage}
          onMore={() => void calls.fetchNextPage()}
        />
      ) : null}
    </>
  );
}
