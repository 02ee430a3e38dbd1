import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';

// No event announces changes of these: each look at the page reads them again.
export const schedulesQuery = queryOptions({
  staleTime: 0,
  queryKey: ['schedules'],
  queryFn: async () => (await answerOf(api.GET('/v1/schedules'))).items,
});

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
