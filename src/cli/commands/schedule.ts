import type { Schedule } from '../../../schema/schedule.ts';
import type { Page } from '../../contract/reads.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import {
  type ChangeScheduleOptions,
  type CreateScheduleOptions,
  newScheduleOf,
  scheduleChangeOf,
} from '../schedule-input.ts';
import { scheduleLine, scheduleText } from '../schedule-text.ts';
import { type CommonOptions, openSession, print, type Session } from '../session.ts';

export async function createSchedule(
  name: string,
  objective: string | undefined,
  options: CreateScheduleOptions,
): Promise<ExitCode> {
  const session = openSession(options);
  const body = await newScheduleOf(session, [name, objective], options);
  const made = await session.client.send<Schedule>('POST', '/v1/schedules', body);
  print(session, made, () => scheduleText(made));
  return EXIT.complete;
}

/** It acts by the rights of whoever changes it from then on. */
export async function changeSchedule(
  name: string,
  objective: string | undefined,
  options: ChangeScheduleOptions,
): Promise<ExitCode> {
  const session = openSession(options);
  const path = await pathOf(session, name);
  const now = await session.client.get<Schedule>(path);
  const body = await scheduleChangeOf(session, [now, objective], options);
  const changed = await session.client.send<Schedule>('PATCH', path, body);
  print(session, changed, () => scheduleText(changed));
  return EXIT.complete;
}

export async function listSchedules(options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const { items } = await session.client.get<Page<Schedule>>('/v1/schedules');
  print(session, items, () =>
    items.length === 0
      ? 'No schedules. Make one: goalkeeper schedule create NAME "OBJECTIVE" --cron "0 6 * * 1"'
      : items.map(scheduleLine).join('\n'),
  );
  return EXIT.complete;
}

export async function showSchedule(name: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const found = await session.client.get<Schedule>(await pathOf(session, name));
  print(session, found, () => scheduleText(found));
  return EXIT.complete;
}

export async function actOnSchedule(
  name: string,
  act: 'pause' | 'resume' | 'run',
  options: CommonOptions,
): Promise<ExitCode> {
  const session = openSession(options);
  const path = `${await pathOf(session, name)}/${act}`;
  const changed = await session.client.send<Schedule>('POST', path, {});
  print(session, changed, () => scheduleText(changed));
  return EXIT.complete;
}

export async function deleteSchedule(name: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const deleted = await session.client.send<Schedule>('DELETE', await pathOf(session, name), {});
  print(session, deleted, () => `${deleted.name} is deleted. What it started goes on.`);
  return EXIT.complete;
}

/** @throws UsageError where none or several are meant */
async function pathOf(session: Session, name: string): Promise<string> {
  if (/^sc-[0-9a-f]{16}$/.test(name)) return `/v1/schedules/${name}`;
  const { items } = await session.client.get<Page<Schedule>>('/v1/schedules');
  const exact = items.filter((one) => one.name === name);
  const begun = items.filter((one) => one.name.startsWith(name) || one.scheduleId.startsWith(name));
  const meant = exact.length > 0 ? exact : begun;
  const [found] = meant;
  if (found !== undefined && meant.length === 1) return `/v1/schedules/${found.scheduleId}`;
  throw found === undefined
    ? new UsageError(`There is no schedule ${name}.`, '"goalkeeper schedule list" has them.')
    : new UsageError(
        `${name} is more than one: ${meant.map((one) => `${one.name} ${one.scheduleId}`).join(', ')}.`,
        'Give the id.',
      );
}
