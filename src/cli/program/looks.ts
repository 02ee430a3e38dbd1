import type { Command } from 'commander';
import { whole } from '../budget-options.ts';
import { modelCallName } from '../model-call-name.ts';
import { goalId, turnNumber, turnNumbers } from './arguments.ts';
import { command, json, type OnExit } from './new-command.ts';
import { addProof, addPull } from './proofs.ts';

export function addLooks(program: Command, onExit: OnExit): void {
  command(program, 'top', 'all goals at a glance: who acts, on what, how near to a limit')
    .option('--workspace <name>')
    .action(async (options) => onExit(await (await import('../commands/top.ts')).top(options)));
  command(program, 'inbox', 'all that waits for you, answered by keys or by the command beside it')
    .option('--plain', 'the list alone, also at a terminal')
    .option('--exit-code', 'the list alone; exit 4 when something waits')
    .action(async (options) => onExit(await (await import('../commands/inbox.ts')).inbox(options)));
  command(program, 'list', 'goals, newest first')
    .option('--status <list>', 'active, paused, budget_limited, complete')
    .option('--workspace <name>')
    .option('--archived', 'also those that were cleared or replaced')
    .option('--limit <n>', 'most rows', whole)
    .action(async (options) => onExit(await (await import('../commands/list.ts')).list(options)));
  command(program, 'search', 'goals whose turns, messages or ledger hold these words')
    .argument('<words>')
    .option('--limit <n>', 'most goals (default: 20)', whole)
    .action(async (words, options) =>
      onExit(await (await import('../commands/search.ts')).search(words, options)),
    );
  command(program, 'show', 'one goal')
    .argument('[goal]', `${goalId}; may be left out beside --archive`)
    .option('--archive <file>', 'what "export" wrote, instead of a service; - is stdin')
    .option('--turns', 'with its turns and why each led where')
    .option('--turn <n>', 'one turn: words, calls, and which models were asked', turnNumber)
    .option('--diff', 'what the turn wrote')
    .option('--request <n>', 'what its n-th model call was asked, and the answer', whole)
    .option('--compare <turn...>', 'beside the turn, or two turns: --compare 38 41', turnNumbers)
    .action(async (goal, options) =>
      onExit(await (await import('../commands/show.ts')).show(goal, options)),
    );
  command(program, 'approvals', 'what waits for your decision, and what each decision leads to')
    .argument('[goal]', goalId)
    .option('--all', 'also what was decided or overtaken')
    .action(async (goal, options) =>
      onExit(await (await import('../commands/approvals.ts')).approvals(goal, options)),
    );
  const record = () => import('../commands/record.ts');
  command(program, 'todos', 'the todo list')
    .argument('<goal>', goalId)
    .action(async (goal, options) => onExit(await (await record()).todos(goal, options)));
  command(program, 'gate', 'what is missing until the goal can end, and why')
    .argument('<goal>', goalId)
    .option('--exit-code', 'exit 0 complete, 1 not finishable yet, 4 holds for a person')
    .action(async (goal, options) => onExit(await (await record()).gate(goal, options)));
  command(program, 'export', 'the goal as one file, which "show --archive" reads')
    .argument('<goal>', goalId)
    .option('--out <file>', 'default: the id with .goal.jsonl; "-" prints it')
    .option('--requests', 'with all that models were asked, which is large')
    .action(async (goal, options) =>
      onExit(await (await import('../commands/export.ts')).exportGoal(goal, options)),
    );
  addProof(program, onExit);
  addPull(program, onExit);
  command(program, 'queue', 'who works in each workspace, and who waits for it, in order')
    .argument('[workspace]')
    .action(async (workspace, options) =>
      onExit(await (await import('../commands/queue.ts')).queue(workspace, options)),
    );
  command(program, 'costs', 'what goals spent, and how full the spend limits are')
    .option('--by <key>', 'day (default), hour, workspace, principal, model or goal')
    .option('--from <time>', 'a day or a moment (default: 30 days ago)')
    .option('--to <time>', 'before it (default: now)')
    .option('--time-zone <name>', 'where days begin (default: UTC)')
    .action(async (options) => onExit(await (await import('../commands/costs.ts')).costs(options)));
  const changes = () => import('../commands/changes.ts');
  command(program, 'diff', 'what changed in the workspace since the goal began, or between turns')
    .argument('<goal>', goalId)
    .option('--from <turn>', 'state after this turn (default: before the first write)')
    .option('--to <turn>', 'state after this turn (default: now)')
    .option('--stat', 'only which files, and how many lines')
    .option('--path <file>', 'one file, and who wrote each part of it')
    .action(async (goal, options) => onExit(await (await changes()).diff(goal, options)));
  command(program, 'history', "turns with the journal's steps; Temporal's events while it has them")
    .argument('<goal>', goalId)
    .option('--turn <n>', 'what was true at the end of this turn', whole)
    .option('--limit <n>', 'most turns (default: 10)', whole)
    .option('--events', "with Temporal's events")
    .action(async (goal, options) =>
      onExit(await (await import('../commands/history.ts')).history(goal, options)),
    );
  const asked = () => import('../commands/model-calls.ts');
  command(program, 'model-calls', 'what models were asked in a turn, and what they answered')
    .argument('<goal>', goalId)
    .requiredOption('--turn <n>', 'number of the turn', whole)
    .option('--call <name>', 'one of them in full, such as turn.2.1', modelCallName)
    .action(async (goal, options) => onExit(await (await asked()).modelCalls(goal, options)));
  const rows = () => import('../commands/ledger.ts');
  const ledger = program.command('ledger').description('what was called and how it settled');
  ledger
    .command('rows', { isDefault: true })
    .description('the rows, and why failed ones failed')
    .option(...json)
    .argument('<goal>', goalId)
    .option('--tool <name>')
    .option('--search <text>', 'in arguments, receipts and whole outputs')
    .action(async (goal, options) => onExit(await (await rows()).ledger(goal, options)));
  command(ledger, 'verify', 'is it what was written? (exit 1: no, 3: its key is not set)')
    .argument('<goal>', goalId)
    .action(async (goal, options) => onExit(await (await rows()).verifyLedger(goal, options)));
}
