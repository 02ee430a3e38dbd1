import type { Cadence } from '../../../schema/cadence.ts';
import type { CatchUp, NewSchedule, Overlap, Schedule } from '../../../schema/schedule.ts';
import type { Page } from '../../contract/reads.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { scheduleLine, scheduleText } from '../schedule-text.ts';
import { type CommonOptions, findGoalId, openSession, print, type Session } from '../session.ts';
import { inputOf, type RunOptions } from './run.ts';

export interface CreateScheduleOptions extends RunOptions {
  readonly cron?: string;
  readonly timeZone?: string;
  readonly every?: string;
  readonly overlap?: string;
  readonly catchUp?: string;
  readonly catchUpWithin?: string;
  readonly wake?: string;
  readonly text?: string;
}

/** What it starts is settled now: a repository's file that changes later changes no schedule. */
export async function createSchedule(
  name: string,
  objective: string | undefined,
  options: CreateScheduleOptions,
): Promise<ExitCode> {
  const session = openSession(options);
  const { overlap, catchUp, catchUpWithin } = options;
  const body = {
    name,
    when: cadenceOf(options),
    // The service judges the words.
    ...(overlap === undefined ? {} : { overlap: overlap as Overlap }),
    ...(catchUp === undefined ? {} : { catchUp: catchUp as CatchUp }),
    ...(catchUpWithin === undefined
      ? {}
      : { catchUpSeconds: secondsOf('--catch-up-within', catchUpWithin) }),
    ...(await actionOf(session, objective, options)),
  };
  const made = await session.client.send<Schedule>('POST', '/v1/schedules', body);
  print(session, made, () => scheduleText(made));
  return EXIT.complete;
}

async function actionOf(
  session: Session,
  objective: string | undefined,
  options: CreateScheduleOptions,
): Promise<Pick<NewSchedule, 'start' | 'wake'>> {
  const { wake, text } = options;
  if (options.attach !== undefined) {
    throw new UsageError('--attach is for one start.', 'Put the file into the workspace.');
  }
  if (wake === undefined) {
    if (text === undefined) return { start: await inputOf(session, objective, options) };
    throw new UsageError('--text is what a goal is told that is woken.', 'Give --wake GOAL.');
  }
  if (objective !== undefined) {
    throw new UsageError('It either starts a goal or wakes one.', 'Leave --wake or the objective.');
  }
  if (text === undefined) {
    throw new UsageError('A goal that is woken is told why.', 'Give --text TEXT.');
  }
  return { wake: { goalId: await findGoalId(session, wake), text } };
}

function cadenceOf({ cron, timeZone, every }: CreateScheduleOptions): Cadence {
  if (every === undefined && cron === undefined) {
    const wayOut = 'Give --cron "0 6 * * 1", or --every 12h.';
    throw new UsageError('A schedule says when.', wayOut);
  }
  return {
    ...(cron === undefined ? {} : { cron }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(every === undefined ? {} : { everySeconds: secondsOf('--every', every) }),
  };
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function secondsOf(option: string, text: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (UNITS[unit] ?? 1);
  throw new UsageError(`${option} ${text} is no span of time.`, 'Write it as 90m, 12h or 1d.');
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

export async function changeSchedule(
  name: string,
  change: 'pause' | 'resume' | 'run',
  options: CommonOptions,
): Promise<ExitCode> {
  const session = openSession(options);
  const path = `${await pathOf(session, name)}/${change}`;
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
