import type { ScheduledStart } from '../../schema/schedule.ts';
import type { ScheduleAction, SchedulesPort } from '../contract/schedules.ts';
import type { Masker } from '../secrets/masker.ts';
import { maskWords, refuseSecret, refuseSecrets } from './masked-intake.ts';

/** The words of a schedule go to a provider at each due time; the rest is stored as it is. */
export const maskedSchedules = (schedules: SchedulesPort, mask: Masker): SchedulesPort => ({
  ...schedules,
  async add(request, made, entry) {
    refuseSecret('name', made.name, mask);
    return schedules.add(request, { ...made, action: maskAction(made.action, mask) }, entry);
  },
  async amend(request, made, restsOn, entry) {
    refuseSecret('name', made.name, mask);
    const masked = { ...made, action: maskAction(made.action, mask) };
    return schedules.amend(request, masked, restsOn, entry);
  },
});

const maskAction = ({ start, wake }: ScheduleAction, mask: Masker): ScheduleAction =>
  start === undefined
    ? { wake: { ...wake, text: mask.text(wake.text) } }
    : { start: maskStart(start, mask) };

function maskStart(start: ScheduledStart, mask: Masker): ScheduledStart {
  const masked = maskWords(start, mask) as ScheduledStart;
  refuseSecrets(masked, mask, 'start');
  return masked;
}
