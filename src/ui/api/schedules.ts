import { queryOptions } from '@tanstack/react-query';
import type { Cadence, NewSchedule, ScheduleChange } from '../view/schedule-form.ts';
import { answerOf, api } from './client.ts';

// No event announces changes of these: each look at the page reads them again.
export const schedulesQuery = queryOptions({
  staleTime: 0,
  queryKey: ['schedules'],
  queryFn: async () => (await answerOf(api.GET('/v1/schedules'))).items,
});

export const scheduleQuery = (scheduleId: string) =>
  queryOptions({
    staleTime: 0,
    queryKey: ['schedules', scheduleId],
    queryFn: () =>
      answerOf(api.GET('/v1/schedules/{scheduleId}', { params: { path: { scheduleId } } })),
  });

/** When it would come next; nothing is made. */
export const dueTimesQuery = (when: Cadence, madeAt: string | undefined) =>
  queryOptions({
    queryKey: ['due-times', when, madeAt],
    retry: false,
    queryFn: async () => {
      const body = { when, ...(madeAt === undefined ? {} : { madeAt }) };
      return (await answerOf(api.POST('/v1/schedules/due-times', { body }))).items;
    },
  });

/** One idempotency key for each form as it stands, so that a repeat makes one. */
export const createSchedule = (body: NewSchedule, key: string) =>
  answerOf(api.POST('/v1/schedules', { headers: { 'idempotency-key': key }, body }));

export const amendSchedule = (scheduleId: string, body: ScheduleChange, key: string) =>
  answerOf(
    api.PATCH('/v1/schedules/{scheduleId}', {
      params: { path: { scheduleId } },
      headers: { 'idempotency-key': key },
      body,
    }),
  );

export type ScheduleAct = 'pause' | 'resume' | 'run' | 'delete';

export function changeSchedule(scheduleId: string, act: ScheduleAct) {
  const params = { path: { scheduleId } };
  switch (act) {
    case 'pause':
      return answerOf(api.POST('/v1/schedules/{scheduleId}/pause', { params }));
    case 'resume':
      return answerOf(api.POST('/v1/schedules/{scheduleId}/resume', { params }));
    case 'run':
      return answerOf(api.POST('/v1/schedules/{scheduleId}/run', { params }));
    case 'delete':
      return answerOf(api.DELETE('/v1/schedules/{scheduleId}', { params }));
  }
}
