import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import { keys } from './keys.ts';
import type { Approval } from './types.ts';

/** All that waits for a person; the shell and the page of the inbox read the same. */
export const inboxQuery = queryOptions({
  queryKey: keys.inbox,
  queryFn: () => answerOf(api.GET('/v1/inbox', { params: { query: { limit: 100 } } })),
});

/** An approval whoever decided it; null = there is none. */
export const approvalQuery = (goalId: string, approvalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, `approval ${approvalId}`),
    queryFn: async (): Promise<Approval | null> => {
      const query = { goalId, state: 'all' } as const;
      const { items } = await answerOf(api.GET('/v1/approvals', { params: { query } }));
      return items.find((one) => one.approvalId === approvalId) ?? null;
    },
  });

/** What the model said last in that turn, or in its newest one; empty = nothing. */
export const saidQuery = (goalId: string, turn: number | null) =>
  queryOptions({
    queryKey: keys.detail(goalId, `said ${turn ?? 'last'}`),
    queryFn: async () => {
      const query = { limit: 1, ...(turn === null ? {} : { before: turn + 1 }) };
      const { items } = await answerOf(
        api.GET('/v1/goals/{goalId}/turns', { params: { path: { goalId }, query } }),
      );
      const said = items[0]?.messages.findLast(
        ({ voice, text }) => voice === 'model' && text.trim() !== '',
      );
      return said?.text.trim() ?? '';
    },
  });
