import { queryOptions } from '@tanstack/react-query';
import type { StartBody } from '../view/start-form.ts';
import { answerOf, api } from './client.ts';

/** The limits that a start with this body would enforce; nothing is started. */
export const estimateQuery = (body: StartBody) =>
  queryOptions({
    queryKey: ['estimate', body],
    queryFn: () => answerOf(api.POST('/v1/goals/estimate', { body })),
    staleTime: 30_000,
  });
