import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';

// No event announces changes of these: each look at a page reads them again.
export const triggersQuery = queryOptions({
  staleTime: 0,
  queryKey: ['triggers'],
  queryFn: async () => (await answerOf(api.GET('/v1/triggers'))).items,
});

const at = (name: string) => ({ params: { path: { name } } });

/** With its newest deliveries. */
export const triggerQuery = (name: string) =>
  queryOptions({
    staleTime: 0,
    queryKey: ['triggers', name],
    queryFn: () => answerOf(api.GET('/v1/triggers/{name}', at(name))),
  });

export const changeTrigger = (name: string, act: 'pause' | 'resume') =>
  answerOf(
    act === 'pause'
      ? api.POST('/v1/triggers/{name}/pause', at(name))
      : api.POST('/v1/triggers/{name}/resume', at(name)),
  );

export const deleteTrigger = (name: string) =>
  answerOf(api.DELETE('/v1/triggers/{name}', at(name)));
