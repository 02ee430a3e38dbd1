import type { Command } from 'commander';
import { whole } from '../budget-options.ts';
import { collect } from '../run-options.ts';
import { command, type OnExit } from './new-command.ts';

/** A session of a person's own works, and the service judges. */
export function addHooks(program: Command, onExit: OnExit): void {
  const about = 'judge what your own session of Claude Code or Codex does in this folder';
  command(program, 'adopt', about)
    .argument('[objective]', 'default: what you ask for in the session; - reads it from stdin')
    .option('--objective-file <file>', 'has the objective; - is stdin')
    .option('--criterion <command>', 'must succeed before it is complete; repeatable', collect)
    .option('--criteria-file <file>', 'YAML or JSON: a list of criteria of every kind')
    .option('--judge-myself', "no criteria: you decide (default: the project's own checks)")
    .option('--scope <glob>', 'files that are the work (default: inferred); repeatable', collect)
    .option('--keep <glob>', 'files that stay as they are all the same; repeatable', collect)
    .option('--setup <command>', 'installs what a proof needs (default: by lock files)', collect)
    .option('--allow-dependencies', 'packages that are added from a registry are its work')
    .option('--workspace <path>', 'folder of the session (default: this one)')
    .option('--budget-turns <n>', 'most stops that are judged', whole)
    .option('--budget-seconds <n>', 'most seconds of work', whole)
    .option('--deadline <time>', 'such as 2030-01-31T18:00:00Z')
    .option('--replace', 'instead of the goal that stands here')
    .option('--terms <file>', "instead of the folder's goalkeeper.yaml or .json")
    .option('--no-terms', 'reads no such file')
    .option('--accept-terms', 'also what only a person may set, as the file says it')
    .action(async (objective, options) =>
      onExit(await (await import('../commands/adopt.ts')).adopt(objective, options)),
    );
  const hook = program.command('hook').description('what sessions of Claude Code and Codex call');
  const commands = () => import('../commands/hook.ts');
  const onSettings = (name: string, about: string) =>
    command(hook, name, about)
      .argument('<agent>', 'claude or codex')
      .option('--project', "the repository's settings (default)")
      .option('--user', 'your own settings, for all folders');
  onSettings('install', 'write the hooks into the settings, beside what is there').action(
    async (agent, options) => onExit((await commands()).installHooks(agent, options)),
  );
  onSettings('uninstall', 'take them out again, and nothing else').action(async (agent, options) =>
    onExit((await commands()).uninstallHooks(agent, options)),
  );
  command(hook, 'status', 'where they are installed').action(async (options) =>
    onExit((await commands()).hookStatus(options)),
  );
  hook
    .command('run')
    .description('answer a hook: its event on stdin, the answer on stdout')
    .argument('[agent]', 'who calls')
    .option('--within <seconds>', 'answer by then', whole)
    .action(async (_agent, options) =>
      onExit(await (await import('../commands/hook-run.ts')).hookRun(options)),
    );
}
