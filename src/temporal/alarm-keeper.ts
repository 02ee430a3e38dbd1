import type { Logger } from 'pino';
import type { Alarm, AlarmsPort } from '../contract/schedules.ts';
import type { AlarmClock } from './alarm-clock.ts';

export interface AlarmKeeperPorts {
  readonly alarms: AlarmsPort;
  readonly clock: AlarmClock;
}

/**
 * Decides what came due while no alarm rang. It asks Postgres alone, so Temporal may be away.
 * @returns the schedules whose alarm did not ring
 */
export async function catchUp(
  { alarms }: AlarmKeeperPorts,
  log: Pick<Logger, 'warn'>,
): Promise<string[]> {
  const overdue = await alarms.overdue();
  for (const scheduleId of overdue) {
    await alarms.look(scheduleId).catch((error: unknown) => {
      log.warn({ err: error, scheduleId }, 'what is due of a schedule could not be decided');
    });
  }
  return overdue;
}

/**
 * Gives Temporal the alarms that the record has. One that did not ring may be lost with its store,
 * or ring on a queue that nobody polls, and is told anew. An alarm that Temporal doesn't take keeps no other one from being set.
 */
export async function keepAlarms(
  ports: AlarmKeeperPorts,
  silent: readonly string[],
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const { alarms } = ports;
  for (const alarm of await alarms.untold()) await tell(ports, alarm, log);
  if (silent.length === 0) return;
  const lost = new Set(silent);
  for (const alarm of await alarms.standing())
    if (lost.has(alarm.scheduleId)) await tellAnew(ports, alarm, log);
}

async function tell(
  { alarms, clock }: AlarmKeeperPorts,
  alarm: Alarm,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const { scheduleId } = alarm;
  try {
    await (alarm.isDeleted ? clock.remove(alarm) : clock.set(alarm));
    await alarms.told(alarm);
  } catch (error) {
    log.warn({ err: error, scheduleId }, 'Temporal was not told of a schedule: it is tried again');
  }
}

async function tellAnew(
  { clock }: AlarmKeeperPorts,
  alarm: Alarm,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const { scheduleId } = alarm;
  try {
    if (await clock.set(alarm))
      log.info({ scheduleId }, 'Temporal had lost the alarm of a schedule, and has it again');
  } catch (error) {
    log.warn({ err: error, scheduleId }, 'the alarm of a schedule could not be told anew');
  }
}
