import type { Cadence } from '../../schema/cadence.ts';
import type {
  CatchUp,
  NewSchedule,
  Overlap,
  Schedule,
  ScheduleChange,
} from '../../schema/schedule.ts';
import { inputOf, type RunOptions } from './commands/run.ts';
import { UsageError } from './exit-code.ts';
import { findGoalId, type Session } from './session.ts';

/** What a schedule says beside what it starts. */
interface OwnOptions {
  readonly cron?: string;
  readonly timeZone?: string;
  readonly every?: string;
  readonly overlap?: string;
  readonly catchUp?: string;
  readonly catchUpWithin?: string;
  readonly wake?: string;
  readonly text?: string;
}

export interface CreateScheduleOptions extends RunOptions, OwnOptions {}

export interface ChangeScheduleOptions extends CreateScheduleOptions {
  readonly name?: string;
}

/** What it starts is settled now: a repository's file that changes later changes no schedule. */
export async function newScheduleOf(
  session: Session,
  [name, objective]: readonly [name: string, objective: string | undefined],
  options: CreateScheduleOptions,
): Promise<NewScheduleInput> {
  const when = cadenceOf(options);
  if (when === null) {
    const wayOut = 'Give --cron "0 6 * * 1", or --every 12h.';
    throw new UsageError('A schedule says when.', wayOut);
  }
  return {
    ...{ name, when, ...policiesOf(options) },
    ...(await actionOf(session, objective, options)),
  };
}

/** The service fills in what is absent. */
type NewScheduleInput = Pick<NewSchedule, 'name' | 'when'> & Partial<NewSchedule>;

/** What is not given stays as it is; fenced by the revision that was read. */
export async function scheduleChangeOf(
  session: Session,
  [now, objective]: readonly [now: Schedule, objective: string | undefined],
  options: ChangeScheduleOptions,
): Promise<ScheduleChange> {
  const { name } = options;
  const when = cadenceOf(options);
  const changed = {
    ...(name === undefined ? {} : { name }),
    ...(when === null ? {} : { when: whenAfter(now.when, when) }),
    ...policiesOf(options),
    ...(await actionAfter(session, [now, objective], options)),
  };
  if (Object.keys(changed).length === 0) {
    throw new UsageError('Nothing is changed.', 'Give --every 12h, or an objective.');
  }
  return { ...changed, expectedRevision: now.revision };
}

/** A time zone alone is the one of the expression that stands. */
function whenAfter(now: Cadence, given: Cadence): Cadence {
  const isZoneAlone = given.cron === undefined && given.everySeconds === undefined;
  return isZoneAlone ? { ...now, ...given } : given;
}

async function actionAfter(
  session: Session,
  [now, objective]: readonly [Schedule, string | undefined],
  options: ChangeScheduleOptions,
): Promise<Pick<NewSchedule, 'start' | 'wake'>> {
  const { wake, text } = options;
  const startsAnew =
    objective !== undefined ||
    options.objectiveFile !== undefined ||
    options.template !== undefined;
  if (startsAnew || wake !== undefined) return actionOf(session, objective, options);
  const [beside] = Object.keys(options).filter((option) => !OWN.has(option));
  if (beside !== undefined) {
    throw new UsageError(
      `What a schedule starts is said whole, and --${dashed(beside)} is a part of it.`,
      'Give the objective and all options of the start, or --template NAME.',
    );
  }
  if (text === undefined) return {};
  if (now.wake !== undefined) return { wake: { goalId: now.wake.goalId, text } };
  throw new UsageError('--text is what a goal is told that is woken.', 'Give --wake GOAL.');
}

/** Options of `change` that say nothing of a start. */
const OWN: ReadonlySet<string> = new Set<keyof ChangeScheduleOptions>([
  ...(['json', 'name', 'cron', 'timeZone', 'every', 'overlap'] as const),
  ...(['catchUp', 'catchUpWithin', 'wake', 'text'] as const),
]);

const dashed = (option: string): string =>
  option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

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

/** The service judges the words. */
function policiesOf({ overlap, catchUp, catchUpWithin }: OwnOptions) {
  return {
    ...(overlap === undefined ? {} : { overlap: overlap as Overlap }),
    ...(catchUp === undefined ? {} : { catchUp: catchUp as CatchUp }),
    ...(catchUpWithin === undefined
      ? {}
      : { catchUpSeconds: secondsOf('--catch-up-within', catchUpWithin) }),
  };
}

/** @returns null where nothing says when */
function cadenceOf({ cron, timeZone, every }: OwnOptions): Cadence | null {
  if (every === undefined && cron === undefined && timeZone === undefined) return null;
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
