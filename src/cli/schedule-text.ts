import type { Cadence } from '../../schema/cadence.ts';
import type { Schedule, ScheduleRun } from '../../schema/schedule.ts';
import { oneLine } from './terminal.ts';

/** One line: when, what comes next, and how it went last. */
export function scheduleLine(schedule: Schedule): string {
  const { name, scheduleId, when, runs } = schedule;
  const last = runs[0];
  const parts = [
    `${name} ${scheduleId}`,
    cadenceText(when),
    nextText(schedule),
    last === undefined ? 'never came yet' : `last ${runText(last)}`,
  ];
  return parts.join(' · ');
}

export function scheduleText(schedule: Schedule): string {
  const { name, scheduleId, workspace, owner, role, when, runs } = schedule;
  const lines = [
    `${name} ${scheduleId}`,
    `  ${actionText(schedule)}`,
    `  in ${workspace}, as ${owner} (${role})`,
    `  ${cadenceText(when)} · ${nextText(schedule)}`,
    `  overlap ${schedule.overlap} · catch up ${schedule.catchUp} within ${spanText(schedule.catchUpSeconds)}`,
    ...runs.map((run) => `  ${runText(run)}`),
  ];
  return lines.join('\n');
}

function actionText({ start, wake }: Schedule): string {
  if (start !== undefined) return `starts "${oneLine(start.objective, 80)}"`;
  return `wakes ${wake?.goalId}: "${oneLine(wake?.text ?? '', 60)}"`;
}

export const cadenceText = ({ cron, timeZone = 'UTC', everySeconds = 0 }: Cadence): string =>
  cron === undefined ? `every ${spanText(everySeconds)}` : `${cron} ${timeZone}`;

const WHY_PAUSED = {
  person: '',
  program: ' (a program)',
  owner_ended: ': its token has ended',
  goal_over: ': its goal is over',
} as const;

function nextText({ paused, nextDueAt, deletedAt }: Schedule): string {
  if (deletedAt !== undefined) return 'deleted';
  if (paused !== undefined) {
    return `paused ${minute(paused.at)}${paused.by === undefined ? '' : ` by ${paused.by}`}${WHY_PAUSED[paused.reason]}`;
  }
  return nextDueAt === undefined ? 'comes no more' : `next ${minute(nextDueAt)}`;
}

function runText({
  dueAt,
  state,
  reason,
  count,
  goalId,
  goalStatus,
  askedBy,
}: ScheduleRun): string {
  const parts = [
    minute(dueAt),
    count === undefined ? state : `${state} (${count} due times)`,
    ...(goalId === undefined
      ? []
      : [goalStatus === undefined ? goalId : `${goalId} ${goalStatus}`]),
    ...(askedBy === undefined ? [] : [`asked for by ${askedBy}`]),
    ...(reason === undefined ? [] : [oneLine(reason, 120)]),
  ];
  return parts.join(' ');
}

const minute = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

function spanText(seconds: number): string {
  const [size, unit] =
    (
      [
        [86_400, 'd'],
        [3600, 'h'],
        [60, 'm'],
      ] as const
    ).find(([span]) => seconds % span === 0) ?? ([1, 's'] as const);
  return `${seconds / size}${unit}`;
}
