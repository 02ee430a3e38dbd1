import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { countsQuery } from '../../api/queries.ts';
import type { GoalCounts } from '../../api/types.ts';
import { Button, buttonClass, PlainButton } from '../../components/button.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Segmented } from '../../components/segmented.tsx';
import {
  IconAdjustmentsHorizontal,
  IconLayoutColumns,
  IconList,
  IconPlus,
} from '../../generated/icons.tsx';
import { useMayAct, useMayPause } from '../../session/session-context.tsx';
import { statusWords } from '../../view/status-words.ts';
import { type Filter, type ListState, sorts } from './list-filter.ts';
import { FILTERS_ID, ListFilters } from './list-filters.tsx';

type Change = (values: Readonly<Record<string, string | null>>) => void;

const icon = { size: 14, stroke: 1.75, 'aria-hidden': true } as const;

const layouts = [
  [
    'list',
    <>
      <IconList {...icon} />
      List
    </>,
  ],
  [
    'board',
    <>
      <IconLayoutColumns {...icon} />
      Board
    </>,
  ],
] as const;

export function GoalsHead({
  state,
  onChange,
}: {
  readonly state: ListState;
  readonly onChange: Change;
}) {
  const { data: counts } = useQuery(countsQuery);
  const mayAct = useMayAct();
  const mayStart = useMayPause();
  const set = [state.workspace, state.model, state.reason, state.days].filter((one) => one !== '');
  const [isOpen, setOpen] = useState(set.length > 0);
  return (
    <header className="page-head">
      <div className="row">
        <div className="grow">
          <h1>Goals</h1>
          <p className="page-summary tabular">{summaryOf(counts, mayAct)}</p>
        </div>
        <Segmented
          label="Layout"
          className="desktop-only"
          choices={layouts}
          chosen={state.isBoard ? 'board' : 'list'}
          onChoose={(layout) => onChange({ view: layout === 'board' ? 'board' : null })}
        />
        {mayStart ? (
          <Link className={buttonClass({ look: 'primary' }, 'desktop-only')} href="/new">
            <IconPlus {...icon} />
            Start goal <kbd>n</kbd>
          </Link>
        ) : null}
      </div>
      <div className="page-tools">
        <SearchField
          label="Search goals"
          placeholder="Search objective, id, workspace"
          value={state.q}
          onChange={(q) => onChange({ q })}
        />
        <Button
          className="phone-only"
          aria-expanded={isOpen}
          aria-controls={FILTERS_ID}
          onClick={() => setOpen(!isOpen)}
        >
          <IconAdjustmentsHorizontal {...icon} />
          Filters{set.length === 0 ? null : <span className="tabular">{set.length}</span>}
        </Button>
        <span className="grow desktop-only" />
        {state.isBoard ? null : (
          <select
            className="field desktop-only"
            aria-label="Group by"
            value={state.isGrouped ? 'actor' : 'none'}
            onChange={(event) =>
              onChange({ group: event.currentTarget.value === 'none' ? 'none' : null })
            }
          >
            <option value="actor">Group: who acts next</option>
            <option value="none">No groups</option>
          </select>
        )}
        <select
          className="field desktop-only"
          aria-label="Sort by"
          value={state.sort}
          onChange={(event) => onChange({ sort: event.currentTarget.value })}
        >
          {sorts.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <ListFilters state={state} isOpen={isOpen} onChange={onChange} />
      {state.isBoard ? null : <Filters state={state} counts={counts} onChange={onChange} />}
    </header>
  );
}

function summaryOf(counts: GoalCounts | undefined, mayAct: boolean): string {
  if (counts === undefined) return '\u00a0';
  if (counts.total === 0) return 'None yet';
  const { you, agent, waiting, team } = counts.groups;
  const needs = mayAct ? `${you} need you` : `${you} need an operator`;
  return `${needs}, ${agent} running, ${waiting + team} waiting.`;
}

const words: readonly (readonly [Filter, string])[] = [
  ['all', 'All'],
  ['you', 'Needs you'],
  ['active', statusWords.active],
  ['paused', statusWords.paused],
  ['budget_limited', statusWords.budget_limited],
  ['complete', statusWords.complete],
];

function Filters(props: {
  readonly state: ListState;
  readonly counts: GoalCounts | undefined;
  readonly onChange: Change;
}) {
  const mayAct = useMayAct();
  const { filter: shown } = props.state;
  return (
    <div className="tabs" role="group" aria-label="Filter">
      {words.map(([filter, word]) => {
        const count = countOf(props.counts, filter);
        const isMine = filter === 'you' && mayAct;
        return (
          <PlainButton
            key={filter}
            aria-pressed={shown === filter}
            onClick={() => props.onChange({ filter: filter === 'all' ? null : filter })}
          >
            {filter === 'you' && !mayAct ? 'Needs an operator' : word}
            {count === undefined ? null : (
              <span className={isMine && count > 0 ? 'keeper-count' : 'tab-note'}>{count}</span>
            )}
          </PlainButton>
        );
      })}
    </div>
  );
}

function countOf(counts: GoalCounts | undefined, filter: Filter): number | undefined {
  if (filter === 'all') return counts?.total;
  return filter === 'you' ? counts?.groups.you : counts?.statuses[filter];
}
