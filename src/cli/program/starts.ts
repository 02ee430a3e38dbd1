import type { Command } from 'commander';
import { collect, withRunOptions } from '../run-options.ts';
import { goalId } from './arguments.ts';
import { command, type OnExit } from './new-command.ts';

export function addStart(program: Command, onExit: OnExit): void {
  const about = 'start a goal and watch it until it rests (exit: 0 complete, 1 not, 2 budget)';
  withRunOptions(command(program, 'run', about)).action(async (objective, options) =>
    onExit(await (await import('../commands/run.ts')).run(objective, options)),
  );
  addCheck(program, onExit);
  command(program, 'seal', 'a criterion that the model never sees; prints the id for --sealed')
    .option('--command <command>', 'runs beside the files, in the proof only')
    .option('--review <rubric>', 'what a second model looks at, instead of a command')
    .option('--files <path>', 'a folder, or a tar, tar.gz or zip; paths as in the workspace')
    .option('--name <name>', 'what the model knows it by')
    .option('--about <text>', 'one line that the model reads')
    .option('--hint <hint>', 'beside "unmet": none (default), name or message')
    .option('--setup <command>', 'runs before it')
    .action(async (options) => onExit(await (await import('../commands/seal.ts')).seal(options)));
  command(program, 'watch', 'show what a goal does until it rests')
    .argument('<goal>', goalId)
    .option('--plain', 'one event a line, nothing is drawn anew')
    .action(async (goal, options) =>
      onExit(await (await import('../commands/watch.ts')).watch(goal, options)),
    );
}

function addCheck(program: Command, onExit: OnExit): void {
  const about =
    'is the work proven? Needs no service (exit: 0 proven, 1 not, 2 a person is asked, 3 mistake)';
  command(program, 'check', about)
    .option('--repo <dir>', 'the repository (default: this folder)')
    .option(
      '--base <commit>',
      'a commit, a branch or merge-base:BRANCH (default: where main was left)',
    )
    .option('--head <commit>', 'what is judged (default: the work tree as it is)')
    .option(
      '--criterion <command>',
      "has to hold (default: the base's goalkeeper.yaml, or its own checks)",
      collect,
    )
    .option('--change <glob>', 'files that are the work; repeatable (default: inferred)', collect)
    .option('--keep <glob>', 'files that are not, all the same; repeatable', collect)
    .option(
      '--accept <name>',
      'a change beyond the scope, or a criterion, that you answer for; repeatable',
      collect,
    )
    .option('--accept-held', 'also exit 0 where everything held before and still does')
    .option(
      '--setup <command>',
      'installs what the criteria need (default: by lock files)',
      collect,
    )
    .option(
      '--allow-dependencies',
      'packages that are added from a registry are a part of the work',
    )
    .option('--no-terms', 'reads no goalkeeper.yaml')
    .option('--bundle <file>', 'writes the signed proof, for "goalkeeper proof verify"')
    .action(async (options) => onExit(await (await import('../commands/check.ts')).check(options)));
  command(program, 'check-comment', "what a check found, on GitHub's pull request and job summary")
    .argument('<file>', 'what "check --json" printed')
    .action(async (file, options) =>
      onExit(await (await import('../commands/check-comment.ts')).checkComment(file, options)),
    );
}
