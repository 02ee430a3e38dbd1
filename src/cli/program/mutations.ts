import type { Command } from 'commander';
import { integer, withBudgetOptions } from '../budget-options.ts';
import { collect } from '../run-options.ts';
import { goalId, turnNumber } from './arguments.ts';
import { command, type OnExit } from './new-command.ts';

export function addMutations(program: Command, onExit: OnExit): void {
  const mutate = () => import('../commands/mutate.ts');
  const onGoal = (name: string, about: string) =>
    command(program, name, about).argument('<goal>', goalId);
  onGoal('pause', 'stop at the next call; the goal keeps everything').action(
    async (goal, options) => onExit(await (await mutate()).pause(goal, options)),
  );
  onGoal('resume', 'go on')
    .option('--acknowledge', 'you know about the effect whose end was not seen')
    .action(async (goal, options) => onExit(await (await mutate()).resume(goal, options)));
  onGoal('message', 'say something; the goal answers and pauses')
    .argument('<text>')
    .option('--steer', 'into the running turn, which goes on')
    .option('--now', 'the same, and the command that runs is ended first')
    .option('--attach <file>', 'comes with it; repeatable', collect)
    .action(async (goal, text, options) =>
      onExit(await (await mutate()).message(goal, text, options)),
    );
  onGoal('take-back', 'take a message back that no model call has read')
    .argument('[message]', 'id of the message; may be left out when one waits')
    .action(async (goal, message, options) =>
      onExit(await (await mutate()).takeBack(goal, message, options)),
    );
  onGoal('stop-call', 'end one running command; the turn goes on, and the model is told')
    .argument('[call]', 'id of the call; may be left out when one command runs')
    .action(async (goal, call, options) =>
      onExit(await (await import('../commands/stop-call.ts')).stopCall(goal, call, options)),
    );
  onGoal('answer', 'answer the open question')
    .argument('[text]')
    .option('--option <number>', 'one of the options, from 1', Number)
    .option('--question <id>', 'when another than the open one is meant')
    .option('--attach <file>', 'comes with it; repeatable', collect)
    .action(async (goal, text, options) =>
      onExit(await (await mutate()).answer(goal, text, options)),
    );
  withBudgetOptions(onGoal('approve', 'approve, or deny, what waits for you'))
    .argument('[approval]', 'id of the approval; may be left out when one is open')
    .option('--deny')
    .option('--note <text>')
    .option('--always', 'of a call: its like runs without a question in this workspace')
    .option('--yes', 'with --always: the rule was looked at')
    .option('--plan <file>', 'of a plan: the text that takes its place ("-" = standard input)')
    .option(
      '--criterion <command>',
      'of a plan: one more for the work; repeatable; of a proposed criterion: what takes its place',
      collect,
    )
    .option('--sealed <id>', 'the same, of a sealed criterion; repeatable', collect)
    .option('--criteria-file <file>', 'the same: a list of every kind, in YAML or JSON')
    .action(async (goal, approval, options) =>
      onExit(await (await import('../commands/approve.ts')).approve(goal, approval, options)),
    );
  onGoal('deny', 'the same as approve --deny')
    .argument('[approval]', 'id of the approval; may be left out when one is open')
    .option('--note <text>')
    .action(async (goal, approval, options) => {
      const { approve } = await import('../commands/approve.ts');
      return onExit(await approve(goal, approval, { ...options, deny: true }));
    });
  onGoal('dispute', 'what the model disputes; insist on the criterion, or end the goal')
    .argument('[dispute]', 'id of the dispute; may be left out when one is open')
    .option('--insist', 'the criterion stays as it is, and the goal goes on')
    .option('--infeasible', 'the goal is over, and not complete')
    .option('--note <text>')
    .action(async (goal, disputeId, options) =>
      onExit(await (await import('../commands/dispute.ts')).dispute(goal, disputeId, options)),
    );
  const chain = program.command('chain').description('wakes that the model asked for');
  command(chain, 'cancel', 'cancel them: a goal that waits for one pauses')
    .argument('<goal>', goalId)
    .action(async (goal, options) => onExit(await (await mutate()).cancelChain(goal, options)));
  withBudgetOptions(onGoal('amend', 'change what is asked or allowed; id and usage stay'))
    .option('--objective <text>')
    .option('--criterion <command>', 'instead of the present ones; repeatable', collect)
    .option('--sealed <id>', 'beside these criteria; repeatable', collect)
    .option('--criteria-file <file>', 'beside these: a list of every kind, in YAML or JSON')
    .option('--file <file>', 'YAML or JSON: any field of an amendment; flags win')
    .option('--model <provider/model>')
    .option('--fallback-model <provider/model>', '"none" takes it away')
    .option('--mode <mode>', 'agent, plan or gather, from the next step on')
    .option('--priority <n>', 'in the line for the workspace, -10 to 10', integer)
    .option('--drop-then', 'the goals that wait to come after it never begin')
    .action(async (goal, options) =>
      onExit(await (await import('../commands/amend.ts')).amend(goal, options)),
    );
  onGoal('requirements', 'what the objective asks for, piece by piece, and who checks it')
    .option('--add <text>', 'one more; repeatable', collect)
    .option('--text <R1=text>', 'its words; repeatable', collect)
    .option('--bind <R1=c1,c2>', 'criteria that check it, or none; repeatable', collect)
    .option('--remove <R1>', 'takes it away; repeatable', collect)
    .action(async (goal, options) =>
      onExit(await (await import('../commands/requirements.ts')).requirements(goal, options)),
    );
  onGoal('rewind', 'take workspace and todo list back to the state after a turn')
    .option('--turn <n>', '0 = before the first write', turnNumber)
    .option('--undo', 'take the last rewind back')
    .action(async (goal, options) =>
      onExit(await (await import('../commands/changes.ts')).rewind(goal, options)),
    );
  onGoal('apply', 'bring its branch into the workspace that it was made from').action(
    async (goal, options) =>
      onExit(await (await import('../commands/apply.ts')).apply(goal, options)),
  );
  onGoal('complete', 'declare the goal complete')
    .requiredOption('--result <text>', 'what was reached')
    .action(async (goal, options) => onExit(await (await mutate()).complete(goal, options)));
  onGoal('clear', 'archive the goal; its record stays')
    .option('--yes', "don't ask")
    .action(async (goal, options) => onExit(await (await mutate()).clear(goal, options)));
}
