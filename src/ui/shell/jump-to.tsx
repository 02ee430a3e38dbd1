import { Spotlight, type SpotlightActionData, spotlight } from '@mantine/spotlight';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { goalsQuery } from '../api/queries.ts';

const pages: readonly (readonly [label: string, path: string])[] = [
  ['Goals', '/goals'],
  ['Goals as a board', '/goals?view=board'],
  ['Inbox', '/inbox'],
  ['Operations', '/ops'],
  ['Schedules', '/schedules'],
  ['New schedule', '/schedules/new'],
  ['Triggers', '/triggers'],
  ['Start a goal', '/new'],
  ['Settings: tokens', '/settings/tokens'],
  ['Settings: principals', '/settings/principals'],
  ['Settings: rules', '/settings/rules'],
  ['Settings: security log', '/settings/security'],
  ['Settings: anchors', '/settings/anchors'],
];

/** Goals by what the service finds, pages by name. */
export function JumpTo({ onClose }: { readonly onClose: () => void }) {
  const [, navigate] = useLocation();
  const [query, setQuery] = useState('');
  const found = useInfiniteQuery(
    goalsQuery({ sort: 'updated', limit: 10, ...(query.trim() === '' ? {} : { q: query.trim() }) }),
  );
  useEffect(() => spotlight.open(), []);
  const goals = found.data?.pages.flatMap(({ items }) => items) ?? [];
  const matching = pages.filter(([label]) => label.toLowerCase().includes(query.toLowerCase()));
  const actions: SpotlightActionData[] = [
    ...goals.map((goal) => ({
      id: goal.goalId,
      label: goal.objective,
      description: `${goal.goalId}, ${goal.workspace.name}`,
      onClick: () => navigate(`/goals/${goal.goalId}`),
    })),
    ...matching.map(([label, path]) => ({ id: path, label, onClick: () => navigate(path) })),
  ];
  return (
    <Spotlight
      actions={actions}
      query={query}
      onQueryChange={setQuery}
      filter={(_query, all) => all}
      onSpotlightClose={onClose}
      nothingFound="Nothing by that name."
      shortcut={null}
      searchProps={{ placeholder: 'Goal, page or id', 'aria-label': 'Jump to' }}
      attributes={{ content: { 'aria-label': 'Jump to' } }}
      transitionProps={{ duration: 0 }}
      classNames={{
        content: 'jump-to',
        action: 'jump-to-action',
        actionLabel: 'truncate',
        search: 'jump-to-search',
      }}
    />
  );
}
