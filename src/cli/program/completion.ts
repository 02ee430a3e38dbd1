import { Argument, type Command } from 'commander';
import { type OnExit, plainCommand } from './new-command.ts';

export function addCompletion(program: Command, onExit: OnExit): void {
  const commands = () => import('../commands/completion.ts');
  plainCommand(program, 'completion', 'what makes a shell complete commands and ids of goals')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(async (shell) => onExit((await commands()).completion(shell)));
  program
    .command('complete-words', { hidden: true })
    .argument('[words...]')
    .action(async (words) => onExit(await (await commands()).complete(program, words)));
}
