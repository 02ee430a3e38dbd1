import {
  type Client,
  isGrpcServiceError,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleSpec,
} from '@temporalio/client';
import type { Cadence } from '../../schema/cadence.ts';
import type { Alarm } from '../contract/schedules.ts';
import type { TaskQueues } from '../contract/task-queues.ts';
import { alarmIdOf } from './names.ts';

/** Temporal's schedules: each says when to look at one of the record's, and nothing else. */
export interface AlarmClock {
  /**
   * Makes it, or changes what is there.
   * @returns whether it was missing
   */
  set(alarm: Alarm): Promise<boolean>;
  remove(alarm: Alarm): Promise<void>;
}

const PATIENCE_MS = 5000;

export function createAlarmClock(client: Client, { goals }: TaskQueues): AlarmClock {
  const handleOf = ({ scheduleId }: Alarm) => client.schedule.getHandle(alarmIdOf(scheduleId));
  // A call that hung would keep the reconciler from everything else.
  const soon = <Result>(call: () => Promise<Result>) =>
    client.connection.withDeadline(Date.now() + PATIENCE_MS, call);
  const make = async (alarm: Alarm): Promise<boolean> => {
    const scheduleId = alarmIdOf(alarm.scheduleId);
    try {
      await soon(() => client.schedule.create({ scheduleId, ...told(alarm, goals) }));
      return true;
    } catch (error) {
      if (error instanceof ScheduleAlreadyRunning) return false;
      throw error;
    }
  };
  return {
    async set(alarm) {
      const isNew = await make(alarm);
      if (!isNew) await soon(() => handleOf(alarm).update(() => told(alarm, goals)));
      return isNew;
    },
    async remove(alarm) {
      await soon(() => handleOf(alarm).delete()).catch((error: unknown) => {
        if (!isGone(error)) throw error;
      });
    },
  };
}

const NOT_FOUND = 5;

const isGone = (error: unknown): boolean =>
  error instanceof ScheduleNotFoundError || (isGrpcServiceError(error) && error.code === NOT_FOUND);

/** The record makes up for what comes late, so Temporal doesn't. */
const told = ({ scheduleId, when, createdAt, isOn }: Alarm, taskQueue: string) => ({
  spec: specOf(when, createdAt),
  action: {
    type: 'startWorkflow' as const,
    workflowType: 'scheduleAlarmWorkflow',
    workflowId: alarmIdOf(scheduleId),
    taskQueue,
    args: [],
    workflowExecutionTimeout: '10 minutes' as const,
  },
  policies: { overlap: ScheduleOverlapPolicy.ALLOW_ALL, catchupWindow: '1 minute' as const },
  state: { paused: !isOn },
});

function specOf(
  { cron, timeZone = 'UTC', everySeconds }: Cadence,
  createdAt: string,
): ScheduleSpec {
  if (cron !== undefined) return { cronExpressions: alarmCrons(cron), timezone: timeZone };
  const every = (everySeconds ?? 60) * 1000;
  return { intervals: [{ every, offset: Date.parse(createdAt) % every }] };
}

/**
 * cron takes a day that fits either field where both are limited; Temporal asks for both, so each
 * gets an expression of its own.
 */
export function alarmCrons(cron: string): string[] {
  const [minute, hour, day = '*', month, weekday = '*'] = cron.trim().split(/ +/);
  if (day.startsWith('*') || weekday.startsWith('*')) return [cron.trim()];
  return [[minute, hour, day, month, '*'].join(' '), [minute, hour, '*', month, weekday].join(' ')];
}
