import type { Command } from 'commander';
import { integer, whole, withBudgetOptions } from './budget-options.ts';

export const withRunOptions = (command: Command): Command =>
  withStartOptions(command)
    .option('--estimate', 'start nothing: what would be enforced, and what it may cost')
    .option('--dry-run', 'the same, and run each criterion once now')
    .option('--detach', 'print the id and leave (exit 0 = started)')
    .option('--plain', 'one event a line, nothing is drawn anew');

/** Whatever a start can say, and which file says the rest. */
export function withStartOptions(command: Command): Command {
  return withGoalOptions(command)
    .argument('[objective]', '- reads it from stdin')
    .option('--objective-file <file>', 'has the objective; - is stdin')
    .option(
      '--from-issue <url>',
      'of GitHub, GitLab or Gitea: its title and text are the objective',
    )
    .option('--attach <file>', 'comes with the objective: an image, text, …; repeatable', collect)
    .option('--workspace <path>', 'folder to work in (default: this one)')
    .option('--workspace-name <name>', 'workspace that a worker serves by this name')
    .option(
      '--from-turn <goal:turn>',
      'a worktree that begins with the files of that goal after the turn; 0 = before its first write',
    )
    .option('--thread <id>', 'conversation that the goal belongs to')
    .option('--replace <goal>', "instead of the thread's current goal, which is this one")
    .option('--expected-goal <id>', "the thread's current goal is this one, or none")
    .option('--expected-revision <n>', 'of that goal', whole);
}

/** What any goal may be asked, wherever it begins and by whatever words. */
export function withGoalOptions(command: Command): Command {
  return withBudgetOptions(command)
    .option(
      '--criterion <command>',
      'must succeed before the goal is complete; repeatable',
      collect,
    )
    .option('--criteria-file <file>', 'YAML or JSON: a list of criteria of every kind')
    .option('--sealed <id>', 'a sealed criterion, see "goalkeeper seal"; repeatable', collect)
    .option('--sealed-criterion <command>', 'seals it: the model never sees the command')
    .option('--sealed-files <path>', 'its files: a folder, or a tar, tar.gz or zip')
    .option('--change <glob>', 'files that are the work; proves by them alone; repeatable', collect)
    .option(
      '--base <commit>',
      'the work is measured against: a commit, a branch, or merge-base:main',
    )
    .option('--keep <glob>', 'files that stay as they are all the same; repeatable', collect)
    .option('--setup <command>', 'installs what a proof needs (default: by lock files)', collect)
    .option('--allow-dependencies', 'packages that the goal adds from a registry are its work')
    .option('--network <what>', 'of commands: none (default), host, or DOMAIN,DOMAIN by a proxy')
    .option('--requirement <text>', 'one thing that is asked for; repeatable', collect)
    .option('--cover-all', 'asks you about each requirement that nothing checks')
    .option('--judge-myself', "no criteria: you decide (default: the project's own checks)")
    .option('--worktree', 'on a git worktree and branch of its own, from the last commit')
    .option('--model <provider/model>')
    .option('--fallback-model <provider/model>', 'stands in while the first fails; "none" for none')
    .option('--conversation <how>', "continue (default) or new: of the thread's goal before")
    .option('--mode <mode>', 'agent (default), plan, or gather')
    .option('--agent <name>', "who works on it, of the service's settings (default: builtin)")
    .option('--priority <n>', 'in the line for the workspace, -10 to 10 (default: 0)', integer)
    .option('--then <objective>', 'comes right after it; repeatable, in this order', collect)
    .option('--then-file <file>', 'YAML or JSON: a list of goals that come after those')
    .option('--text-tokens', 'for models without tool calls')
    .option('--notify <url>', 'webhook that hears of the goal; repeatable', collect)
    .option('--notify-event <event>', 'it hears of this alone; repeatable', collect)
    .option('--notify-secret-env <name>', "workers' variable that signs (GOALKEEPER_NOTIFY_SECRET)")
    .option('--notify-secret-file <file>', 'has the secret that signs, instead')
    .option('--terms <file>', "instead of the workspace's goalkeeper.yaml or .json")
    .option('--no-terms', 'reads no such file')
    .option('--template <name>', 'of that file')
    .option('--set <key=value>', 'a parameter of the template; repeatable', collect)
    .option('--accept-terms', 'also what only a person may set, as the file says it');
}

export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
