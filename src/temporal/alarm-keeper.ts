import type { Logger } from 'pino';
import type { Alarm, AlarmsPort } from '../contract/schedules.ts';
import type { AlarmClock } from './alarm-clock.ts';

export interface AlarmKeeperPorts {
  readonly alarms: AlarmsPort;
  readonly clock: AlarmClock;
}

/** Alarms looked for in one round; each round continues after the one before. */
const LOOKS_A_ROUND = 3;

export interface AlarmLooks {
  next: number;
}

/** Decides what came due while no alarm rang. It asks Postgres alone, so Temporal may be away. */
export async function catchUp(
  { alarms }: AlarmKeeperPorts,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  for (const scheduleId of await alarms.overdue()) {
    await alarms.look(scheduleId).catch((error: unknown) => {
      log.warn({ err: error, scheduleId }, 'what is due of a schedule could not be decided');
    });
  }
}

/**
 * Gives Temporal the alarms that the record has, also where its store was lost. An alarm that it
 * doesn't take keeps no other one from being set.
 */
export async function keepAlarms(
  ports: AlarmKeeperPorts,
  looks: AlarmLooks,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const { alarms } = ports;
  for (const alarm of await alarms.untold()) await tell(ports, alarm, log);
  const standing = await alarms.standing();
  const first = looks.next < standing.length ? looks.next : 0;
  const chosen = standing.slice(first, first + LOOKS_A_ROUND);
  looks.next = first + chosen.length;
  for (const alarm of chosen) await setAnew(ports, alarm, log);
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

async function setAnew(
  { clock }: AlarmKeeperPorts,
  alarm: Alarm,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const { scheduleId } = alarm;
  try {
    if (await clock.isSet(alarm)) return;
    await clock.set(alarm);
    log.info({ scheduleId }, 'Temporal had lost the alarm of a schedule, and has it again');
  } catch (error) {
    log.warn({ err: error, scheduleId }, 'the alarm of a schedule could not be looked for');
  }
}
