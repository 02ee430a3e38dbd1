import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { askChangesEarly, changesQuery } from '../../src/ui/api/changes.ts';
import { api } from '../../src/ui/api/client.ts';

const page = { from: 't0', to: 'now', files: [], leftOut: [], nextCursor: null };
const REFUSED = Response.json({}, { status: 404 });

/** A service whose answers come in this order; null = it refuses. */
function serviceThat(...answers: readonly (object | null)[]) {
  return vi.spyOn(api, 'GET').mockImplementation((async () => {
    const data = answers[vi.mocked(api.GET).mock.calls.length - 1];
    return data === null
      ? { error: { code: 'not_found' }, response: REFUSED }
      : { data, response: Response.json(data) };
  }) as unknown as typeof api.GET);
}

const shown = async (range: { readonly from: string; readonly to: string }, goalId = 'g-1') =>
  (await new QueryClient().fetchInfiniteQuery(changesQuery(goalId, range, 'state'))).pages[0];

afterEach(() => vi.restoreAllMocks());

describe('CON-110 a list of changes that is asked for before its page is there', () => {
  test('is what the page shows, once', async () => {
    const asked = serviceThat(page, page);
    askChangesEarly('g-1');
    expect(await shown({ from: 't0', to: 'now' })).toEqual(page);
    expect(asked).toHaveBeenCalledOnce();
    await shown({ from: 't0', to: 'now' });
    expect(asked).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['another range', [page, { ...page, from: 't2' }], { from: 't2', to: 'now' }, 'g-1'],
    ['another goal', [page, { ...page, leftOut: ['big'] }], { from: 't0', to: 'now' }, 'g-2'],
    ['one that was refused', [null, page], { from: 't0', to: 'now' }, 'g-1'],
  ])('is asked for again where it is %s', async (_what, answers, range, goalId) => {
    const asked = serviceThat(...answers);
    askChangesEarly('g-1');
    expect(await shown(range, goalId)).toEqual(answers[1]);
    expect(asked).toHaveBeenLastCalledWith('/v1/goals/{goalId}/changes', {
      params: { path: { goalId }, query: { ...range, limit: 5000 } },
    });
  });
});
