import type { Command } from 'commander';
import { withStartOptions } from '../run-options.ts';
import { command, type OnExit } from './new-command.ts';

const scheduleName = 'its name, its id, or a unique beginning of either';

export function addSchedules(program: Command, onExit: OnExit): void {
  const commands = () => import('../commands/schedule.ts');
  const schedule = program.command('schedule').description('goals that start by the clock');
  withScheduleOptions(
    command(schedule, 'create', 'start a goal, or wake one, at each due time').argument(
      '<name>',
      'of the schedule',
    ),
  ).action(async (name, objective, options) =>
    onExit(await (await commands()).createSchedule(name, objective, options)),
  );
  command(schedule, 'list', 'when each comes next, and how it went last').action(async (options) =>
    onExit(await (await commands()).listSchedules(options)),
  );
  const onOne = (name: string, about: string) =>
    command(schedule, name, about).argument('<schedule>', scheduleName);
  onOne('show', 'one of them, with its newest runs').action(async (name, options) =>
    onExit(await (await commands()).showSchedule(name, options)),
  );
  withScheduleOptions(
    onOne('change', 'say anew when, how or what; what is not given stays, a start is said whole'),
  )
    .option('--name <name>', 'instead of the present one')
    .action(async (name, objective, options) =>
      onExit(await (await commands()).changeSchedule(name, objective, options)),
    );
  onOne('pause', 'nothing comes due until it is resumed; what runs goes on').action(
    async (name, options) => onExit(await (await commands()).actOnSchedule(name, 'pause', options)),
  );
  onOne('resume', 'go on from now').action(async (name, options) =>
    onExit(await (await commands()).actOnSchedule(name, 'resume', options)),
  );
  onOne('run-now', 'once, beside the clock').action(async (name, options) =>
    onExit(await (await commands()).actOnSchedule(name, 'run', options)),
  );
  onOne('delete', 'end it; its record stays, and what runs goes on').action(async (name, options) =>
    onExit(await (await commands()).deleteSchedule(name, options)),
  );
}

const withScheduleOptions = (command: Command): Command =>
  withStartOptions(command)
    .option('--cron <expression>', 'five fields, such as "0 6 * * 1"')
    .option('--time-zone <zone>', 'of --cron, such as Europe/Berlin (default: UTC)')
    .option('--every <span>', 'instead of --cron: such as 90m, 12h or 1d; a minute at least')
    .option('--overlap <policy>', 'while the last one is not over: skip (default), queue or allow')
    .option('--catch-up <policy>', 'of due times without a service: last (default), all or none')
    .option('--catch-up-within <span>', 'and none that is longer ago (default: 1d)')
    .option('--wake <goal>', 'instead of an objective: wakes this goal')
    .option('--text <text>', 'what --wake tells the goal');
