import { expect, test } from 'vitest';
import { isNarrowed, queryOf, readListState } from '../../src/ui/pages/goals/list-filter.ts';
import { readViews, withView } from '../../src/ui/pages/goals/saved-views.ts';

const stateOf = (search: string) => readListState(new URLSearchParams(search));

test('CON-76: the address of a list says what is asked of the service, and what it does not know is nothing', () => {
  const now = Date.parse('2026-11-27T11:30:00.000Z');
  const all = 'workspace=shop&model=a/b&reason=question&days=7&filter=paused&q=%20x%20&sort=cost';
  expect(queryOf(stateOf(all), now)).toEqual({
    ...{ workspace: 'shop', model: 'a/b', reason: ['question'], status: ['paused'], q: 'x' },
    ...{ sort: 'cost', group: 'actor', since: '2026-11-21T00:00:00.000Z' },
  });
  const odd = stateOf('reason=nothing&days=400&filter=x&sort=y');
  expect(queryOf(odd, now)).toEqual({ sort: 'updated', group: 'actor' });
  expect([isNarrowed(odd), isNarrowed(stateOf('days=1'))]).toEqual([false, true]);
});

test('CON-76: saved views are the newest of their name, at most thirty, and none of what is no view', () => {
  const first = withView([], { name: ' mine ', search: 'q=a' });
  expect(withView(first, { name: 'mine', search: 'q=b' })).toEqual([
    { name: 'mine', search: 'q=b' },
  ]);
  const many = Array.from({ length: 40 }, (_, at) => ({ name: `v${at}`, search: '' }));
  const kept = many.reduce(withView, readViews(null));
  expect([kept.length, kept.at(-1)?.name]).toEqual([30, 'v39']);
  for (const bad of ['{', '7', '{"a":1}', '[1,{"name":2}]']) expect(readViews(bad)).toEqual([]);
});
