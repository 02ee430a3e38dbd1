import type { Command } from 'commander';
import { whole } from '../budget-options.ts';
import { collect } from '../run-options.ts';
import { command, type OnExit } from './new-command.ts';

export function addTriggers(program: Command, onExit: OnExit): void {
  const commands = () => import('../commands/trigger.ts');
  const trigger = program
    .command('trigger')
    .description('what signed deliveries from outside do, such as of GitHub');
  command(trigger, 'create', 'make one; its address and its secret are shown this once')
    .argument('<name>')
    .option('--kind <kind>', 'standard (Standard Webhooks, the default), github or gitlab')
    .option('--file <path>', 'all of it as YAML or JSON (docs/triggers.md); flags win')
    .option('--event <name>', "only this event of the sender's; repeatable", collect)
    .option('--where <path=value>', 'only where a JSON path has this value; repeatable', collect)
    .option('--set <name=path>', 'a parameter, by its JSON path; repeatable', collect)
    .option('--template <name>', "start a goal by this template of the repository's file")
    .option('--terms <file>', 'the file that has the template')
    .option('--workspace <path>', 'where such a goal works (default: here)')
    .option('--accept-terms', 'you have seen what the template asks for')
    .option('--message <goal>', 'say the text to this goal')
    .option('--thread <id>', 'say the text to the current goal of this thread')
    .option('--brings <event>', 'it is what goals wait for by wait_for {event}')
    .option('--text <text>', 'what is said; {{name}} stands for a parameter')
    .option('--most <n>', 'takes so many deliveries in an hour (default: 100)', whole)
    .option('--secret-env <variable>', 'the secret stands in this variable')
    .action(async (name, options) => onExit(await (await commands()).createTrigger(name, options)));
  command(trigger, 'list', 'each with its address').action(async (options) =>
    onExit(await (await commands()).listTriggers(options)),
  );
  command(trigger, 'show', 'one, with its newest deliveries and what came of them')
    .argument('<name>')
    .action(async (name, options) => onExit(await (await commands()).showTrigger(name, options)));
  command(trigger, 'test', 'what a payload would lead to; nothing is done (exit 1: nothing would)')
    .argument('<name>')
    .requiredOption('--payload <file>', 'JSON; - reads it from stdin')
    .option('--event <name>', "the sender's event")
    .action(async (name, options) => onExit(await (await commands()).testTrigger(name, options)));
  command(trigger, 'pause', 'leave out what comes until it is resumed')
    .argument('<name>')
    .action(async (name, options) => onExit(await (await commands()).pauseTrigger(name, options)));
  command(trigger, 'resume', 'take deliveries again')
    .argument('<name>')
    .action(async (name, options) => onExit(await (await commands()).resumeTrigger(name, options)));
  command(trigger, 'delete', 'end it at once, also what is pending of its deliveries')
    .argument('<name>')
    .action(async (name, options) => onExit(await (await commands()).deleteTrigger(name, options)));
}
