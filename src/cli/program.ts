import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { productVersion } from '../version.ts';
import { integer, whole, withBudgetOptions } from './budget-options.ts';
import { addHooks } from './hook-program.ts';
import { modelCallName } from './model-call-name.ts';
import { command, json, type OnExit, plainCommand } from './new-command.ts';
import { collect, withGoalOptions, withRunOptions } from './run-options.ts';
import { addSchedules } from './schedule-program.ts';
import { setTerminalFlags } from './terminal.ts';

/** The commands by name and option. Each is loaded only when it is called. */
export function createProgram(onExit: OnExit): Command {
  const program = new Command('goalkeeper')
    .description('Durable goals for AI agents that end only when they are proven')
    .version(productVersion())
    .exitOverride()
    .addOption(
      new Option('--color <when>', 'colours (NO_COLOR wins over it)')
        .choices(['auto', 'always', 'never'])
        .default('auto'),
    )
    .option('--ascii', 'signs of ASCII alone, as with LANG=C')
    .hook('preAction', (whole) => setTerminalFlags(whole.opts()))
    .showSuggestionAfterError();
  addStart(program, onExit);
  addLooks(program, onExit);
  addMutations(program, onExit);
  addSchedules(program, onExit);
  addHooks(program, onExit);
  addService(program, onExit);
  addCompletion(program, onExit);
  return program;
}

const goalId = 'id of the goal, or a unique beginning of it';

function addStart(program: Command, onExit: OnExit): void {
  const about = 'start a goal and watch it until it rests (exit: 0 complete, 1 not, 2 budget)';
  withRunOptions(command(program, 'run', about)).action(async (objective, options) =>
    onExit(await (await import('./commands/run.ts')).run(objective, options)),
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
    .action(async (options) => onExit(await (await import('./commands/seal.ts')).seal(options)));
  command(program, 'watch', 'show what a goal does until it rests')
    .argument('<goal>', goalId)
    .option('--plain', 'one event a line, nothing is drawn anew')
    .action(async (goal, options) =>
      onExit(await (await import('./commands/watch.ts')).watch(goal, options)),
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
    .action(async (options) => onExit(await (await import('./commands/check.ts')).check(options)));
  command(program, 'check-comment', "what a check found, on GitHub's pull request and job summary")
    .argument('<file>', 'what "check --json" printed')
    .action(async (file, options) =>
      onExit(await (await import('./commands/check-comment.ts')).checkComment(file, options)),
    );
}

function addLooks(program: Command, onExit: OnExit): void {
  command(program, 'top', 'all goals at a glance: who acts, on what, how near to a limit')
    .option('--workspace <name>')
    .action(async (options) => onExit(await (await import('./commands/top.ts')).top(options)));
  command(program, 'inbox', 'all that waits for you, answered by keys or by the command beside it')
    .option('--plain', 'the list alone, also at a terminal')
    .option('--exit-code', 'the list alone; exit 4 when something waits')
    .action(async (options) => onExit(await (await import('./commands/inbox.ts')).inbox(options)));
  command(program, 'list', 'goals, newest first')
    .option('--status <list>', 'active, paused, budget_limited, complete')
    .option('--workspace <name>')
    .option('--archived', 'also those that were cleared or replaced')
    .option('--limit <n>', 'most rows', whole)
    .action(async (options) => onExit(await (await import('./commands/list.ts')).list(options)));
  command(program, 'show', 'one goal')
    .argument('[goal]', `${goalId}; may be left out beside --archive`)
    .option('--archive <file>', 'what "export" wrote, instead of a service')
    .option('--turns', 'with its turns and why each led where')
    .option('--turn <n>', 'one turn: words, calls, and which models were asked', turnNumber)
    .option('--diff', 'what the turn wrote')
    .option('--request <n>', 'what its n-th model call was asked, and the answer', whole)
    .option('--compare <turn...>', 'beside the turn, or two turns: --compare 38 41', turnNumbers)
    .action(async (goal, options) =>
      onExit(await (await import('./commands/show.ts')).show(goal, options)),
    );
  command(program, 'approvals', 'what waits for your decision, and what each decision leads to')
    .argument('[goal]', goalId)
    .option('--all', 'also what was decided or overtaken')
    .action(async (goal, options) =>
      onExit(await (await import('./commands/approvals.ts')).approvals(goal, options)),
    );
  const record = () => import('./commands/record.ts');
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
      onExit(await (await import('./commands/export.ts')).exportGoal(goal, options)),
    );
  addProof(program, onExit);
  addPull(program, onExit);
  command(program, 'queue', 'who works in each workspace, and who waits for it, in order')
    .argument('[workspace]')
    .action(async (workspace, options) =>
      onExit(await (await import('./commands/queue.ts')).queue(workspace, options)),
    );
  command(program, 'costs', 'what goals spent, and how full the spend limits are')
    .option('--by <key>', 'day (default), hour, workspace, principal, model or goal')
    .option('--from <time>', 'a day or a moment (default: 30 days ago)')
    .option('--to <time>', 'before it (default: now)')
    .option('--time-zone <name>', 'where days begin (default: UTC)')
    .action(async (options) => onExit(await (await import('./commands/costs.ts')).costs(options)));
  const changes = () => import('./commands/changes.ts');
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
      onExit(await (await import('./commands/history.ts')).history(goal, options)),
    );
  const asked = () => import('./commands/model-calls.ts');
  command(program, 'model-calls', 'what models were asked in a turn, and what they answered')
    .argument('<goal>', goalId)
    .requiredOption('--turn <n>', 'number of the turn', whole)
    .option('--call <name>', 'one of them in full, such as turn.2.1', modelCallName)
    .action(async (goal, options) => onExit(await (await asked()).modelCalls(goal, options)));
  const rows = () => import('./commands/ledger.ts');
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

function addProof(program: Command, onExit: OnExit): void {
  const proofs = () => import('./commands/proof.ts');
  const proof = program.command('proof').description('a completed goal’s proof, as a signed file');
  command(proof, 'export', 'write it to a file that others can verify')
    .argument('<goal>', goalId)
    .option('--out <file>', 'default: the id with .intoto.jsonl; "-" prints it')
    .action(async (goal, options) => onExit(await (await proofs()).exportProof(goal, options)));
  command(proof, 'verify', 'is it genuine, and is it this checkout? (exit 1: no; needs no service)')
    .argument('<file>', 'what "proof export" wrote')
    .option('--key <file>', 'public keys to trust, PEM (default: GOALKEEPER_TRUSTED_KEYS)')
    .option('--repo <dir>', 'the checkout (default: this folder)')
    .option('--rerun', 'and repeat the proof run here')
    .action(async (file, options) => onExit(await (await proofs()).verifyProof(file, options)));
  command(proof, 'attach', 'as a git note on the commit whose tree was proven')
    .argument('<goal>', goalId)
    .option('--repo <dir>', 'the repository (default: this folder)')
    .action(async (goal, options) => onExit(await (await proofs()).attachProof(goal, options)));
  command(proof, 'key', 'the public key of this installation, PEM').action(async (options) =>
    onExit(await (await proofs()).proofKey(options)),
  );
}

function addPull(program: Command, onExit: OnExit): void {
  const about =
    'open a pull request with what was proven, or renew its text (GitHub, GitLab, Gitea)';
  command(program, 'pr', about)
    .argument('<goal>', goalId)
    .option('--repo <dir>', "a checkout that has the work (default: the goal's workspace)")
    .option('--remote <name>', 'where it is hosted (default: origin)')
    .option('--base <branch>', 'to be merged into (default: as the forge says)')
    .option('--branch <name>', 'default: goal/ and the id')
    .option('--title <text>', "default: the objective's first line")
    .option('--draft', 'not to be merged yet')
    .option('--text', 'print title and text, and push nothing')
    .option('--local', 'make the commit on a branch here (proven/GOAL), and push nothing')
    .option('--yes', 'push without asking')
    .action(async (goal, options) =>
      onExit(await (await import('./commands/pull-request.ts')).pullRequest(goal, options)),
    );
}

function addMutations(program: Command, onExit: OnExit): void {
  const mutate = () => import('./commands/mutate.ts');
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
    .option('--attach <file>', 'comes with it; repeatable', collect)
    .action(async (goal, text, options) =>
      onExit(await (await mutate()).message(goal, text, options)),
    );
  onGoal('stop-call', 'end one running command; the turn goes on, and the model is told')
    .argument('[call]', 'id of the call; may be left out when one command runs')
    .action(async (goal, call, options) =>
      onExit(await (await import('./commands/stop-call.ts')).stopCall(goal, call, options)),
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
    .option('--criterion <command>', 'of a plan: one more for the work; repeatable', collect)
    .option('--sealed <id>', 'of a plan: one more for the work; repeatable', collect)
    .option('--criteria-file <file>', 'of a plan: a list of more, of every kind, in YAML or JSON')
    .action(async (goal, approval, options) =>
      onExit(await (await import('./commands/approve.ts')).approve(goal, approval, options)),
    );
  onGoal('deny', 'the same as approve --deny')
    .argument('[approval]', 'id of the approval; may be left out when one is open')
    .option('--note <text>')
    .action(async (goal, approval, options) => {
      const { approve } = await import('./commands/approve.ts');
      return onExit(await approve(goal, approval, { ...options, deny: true }));
    });
  onGoal('dispute', 'what the model disputes; insist on the criterion, or end the goal')
    .argument('[dispute]', 'id of the dispute; may be left out when one is open')
    .option('--insist', 'the criterion stays as it is, and the goal goes on')
    .option('--infeasible', 'the goal is over, and not complete')
    .option('--note <text>')
    .action(async (goal, disputeId, options) =>
      onExit(await (await import('./commands/dispute.ts')).dispute(goal, disputeId, options)),
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
      onExit(await (await import('./commands/amend.ts')).amend(goal, options)),
    );
  onGoal('requirements', 'what the objective asks for, piece by piece, and who checks it')
    .option('--add <text>', 'one more; repeatable', collect)
    .option('--text <R1=text>', 'its words; repeatable', collect)
    .option('--bind <R1=c1,c2>', 'criteria that check it, or none; repeatable', collect)
    .option('--remove <R1>', 'takes it away; repeatable', collect)
    .action(async (goal, options) =>
      onExit(await (await import('./commands/requirements.ts')).requirements(goal, options)),
    );
  onGoal('rewind', 'take workspace and todo list back to the state after a turn')
    .option('--turn <n>', '0 = before the first write', turnNumber)
    .option('--undo', 'take the last rewind back')
    .action(async (goal, options) =>
      onExit(await (await import('./commands/changes.ts')).rewind(goal, options)),
    );
  onGoal('complete', 'declare the goal complete')
    .requiredOption('--result <text>', 'what was reached')
    .action(async (goal, options) => onExit(await (await mutate()).complete(goal, options)));
  onGoal('clear', 'archive the goal; its record stays')
    .option('--yes', "don't ask")
    .action(async (goal, options) => onExit(await (await mutate()).clear(goal, options)));
}

function addService(program: Command, onExit: OnExit): void {
  command(
    program,
    'doctor',
    'what works, what does not, and the way out (exit: 0 all, 1 warnings, 3 no)',
  )
    .option('--online', 'and one real call to the default model')
    .action(async (options) =>
      onExit(await (await import('./commands/doctor.ts')).doctor(options)),
    );
  command(program, 'up', 'start everything here: database, Temporal, workers and API')
    .option('--workspace <name=path>', 'folder to serve by a name; repeatable', collect)
    .option('--workers <n>', 'how many worker processes', whole)
    .option('-d, --detach', 'leave it running, and return when it serves')
    .action(async (options) => onExit(await (await import('./commands/up.ts')).up(options)));
  addRunning(program, onExit);
  addConfig(program, onExit);
  addTokens(program, onExit);
  addTriggers(program, onExit);
  addSessions(program, onExit);
  addPins(program, onExit);
  addRules(program, onExit);
  addSecurityLog(program, onExit);
  addAnchors(program, onExit);
  command(program, 'migrate', 'bring the database of DATABASE_URL to the schema of this version')
    .option('--check', 'change nothing; exit 1 when something is missing, newer or half-finished')
    .action(async (options) =>
      onExit(await (await import('./commands/migrate.ts')).migrate(options)),
    );
  command(program, 'api', 'serve the API alone (needs DATABASE_URL and TEMPORAL_ADDRESS)').action(
    async () => onExit(await (await import('./commands/api.ts')).api()),
  );
  program
    .command('mcp')
    .description(
      'start, watch and pause goals for another agent: an MCP server on stdin and stdout',
    )
    .action(async () => onExit(await (await import('./commands/mcp.ts')).mcp()));
  withGoalOptions(
    program
      .command('acp')
      .description(
        'goals as sessions of an editor, which starts this as its agent (Zed and others)',
      ),
  ).action(async (options) => onExit(await (await import('./commands/acp.ts')).acp(options)));
  command(program, 'worker', 'run goals here (needs DATABASE_URL and TEMPORAL_ADDRESS)')
    .option('--workspace <name=path>', 'folder to serve by a name; repeatable', collect)
    .option('--workers <n>', 'so many processes, each started again when it dies', whole)
    .action(async (options) =>
      onExit(
        options.workers > 1
          ? await (await import('./commands/workers.ts')).workers(options)
          : await (await import('./commands/worker.ts')).worker(options),
      ),
    );
}

function addCompletion(program: Command, onExit: OnExit): void {
  const commands = () => import('./commands/completion.ts');
  plainCommand(program, 'completion', 'what makes a shell complete commands and ids of goals')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(async (shell) => onExit((await commands()).completion(shell)));
  program
    .command('complete-words', { hidden: true })
    .argument('[words...]')
    .action(async (words) => onExit(await (await commands()).complete(program, words)));
}

function addRunning(program: Command, onExit: OnExit): void {
  const commands = () => import('./commands/running.ts');
  command(program, 'down', 'stop what "up" runs here, and what a killed one left')
    .option('--now', "don't wait for running calls; they are sent again by the next start")
    .action(async (options) => onExit(await (await commands()).down(options)));
  command(program, 'status', 'what runs here, is it ready (exit 1: no), and what waits for you?')
    .option('--exit-code', 'exit 4 when it is ready and a goal holds for you')
    .action(async (options) => onExit(await (await commands()).status(options)));
  program
    .command('logs')
    .description('what the parts of "up" wrote last')
    .argument('[part]', 'up, api, worker-1, temporal or postgres (default: all)')
    .option('-f, --follow', 'and what they go on to write')
    .option('-n, --lines <n>', 'of each part (default: 20)', whole)
    .action(async (part, options) =>
      onExit(await (await import('./commands/logs.ts')).logs(part, options)),
    );
  program
    .command('service')
    .description('let this machine keep "up" running')
    .command('install')
    .description("write systemd's unit, or launchd's file on macOS, and say what starts it")
    .option('--system', "the system's instead of your own (systemd)")
    .option('--user <name>', 'with --system: who it runs as')
    .option('--workspace <name=path>', 'folder to serve by a name; repeatable', collect)
    .option('--workers <n>', 'how many worker processes', whole)
    .option('--dry-run', 'print the file and write nothing')
    .action(async (options) =>
      onExit(await (await import('./commands/service.ts')).installService(options)),
    );
  command(program, 'open', 'a new link that signs a browser in to the console, once').action(
    async (options) => onExit(await (await import('./commands/open.ts')).open(options)),
  );
}

function addSecurityLog(program: Command, onExit: OnExit): void {
  const commands = () => import('./commands/security-log.ts');
  const log = program.command('security-log').description('who did what from where');
  log
    .command('entries', { isDefault: true })
    .description('the entries; --json prints all of them, one a line')
    .option(...json)
    .option('--limit <n>', 'most lines (default: 50)', whole)
    .action(async (options) => onExit(await (await commands()).securityLog(options)));
  command(log, 'verify', 'is it what was written? (exit 1: no, 3: its key is not set)').action(
    async (options) => onExit(await (await commands()).verifyLog(options)),
  );
}

function addAnchors(program: Command, onExit: OnExit): void {
  const commands = () => import('./commands/anchors.ts');
  const anchors = program
    .command('anchors')
    .description('signed heads of the record, kept outside');
  anchors
    .command('state', { isDefault: true })
    .description('the newest head, and the places that keep it')
    .option(...json)
    .action(async (options) => onExit(await (await commands()).anchors(options)));
  command(anchors, 'verify', 'is the database the one that was anchored? (exit 1: no)')
    .option('--anchor <place>', 'a file or git:/path#ref, instead of the configured ones', collect)
    .action(async (options) => onExit(await (await commands()).verifyAnchors(options)));
}

function addTriggers(program: Command, onExit: OnExit): void {
  const commands = () => import('./commands/trigger.ts');
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

function addTokens(program: Command, onExit: OnExit): void {
  const commands = () => import('./commands/token.ts');
  const token = program.command('token').description('who may call the service');
  command(token, 'create', 'make one that may no more than yours; it is shown this once')
    .argument('<name>', 'stands in records; no later token gets it')
    .requiredOption('--role <role>', 'viewer, agent, operator or admin')
    .option('--workspace <name>', 'only goals there exist for it; repeatable', collect)
    .option(
      '--template <name>',
      'WORKSPACE/TEMPLATE: starts goals from it alone; repeatable',
      collect,
    )
    .option('--days <n>', 'until it ends (default: 90)', whole)
    .option('--no-expiry', 'lives as long as yours')
    .action(async (name, options) => onExit(await (await commands()).createToken(name, options)));
  command(token, 'list', 'their bounds, their last use, and what was revoked').action(
    async (options) => onExit(await (await commands()).listTokens(options)),
  );
  command(token, 'revoke', 'end it at once, with its sessions and open event streams')
    .argument('<name>')
    .action(async (name, options) => onExit(await (await commands()).revokeToken(name, options)));
}

function addConfig(program: Command, onExit: OnExit): void {
  const commands = () => import('./commands/config.ts');
  const config = program.command('config').description('settings of the service here');
  command(config, 'show', 'each setting, and whether environment, file or default says it').action(
    async (options) => onExit(await (await commands()).showConfig(options)),
  );
  command(config, 'check', 'read a file as the service would, and change nothing')
    .argument('[file]', 'default: the one that the service reads')
    .action(async (file, options) => onExit(await (await commands()).checkConfig(file, options)));
}

function addSessions(program: Command, onExit: OnExit): void {
  const commands = () => import('./commands/session.ts');
  const session = program.command('session').description('browsers that are signed in');
  command(session, 'list', 'who is signed in, by what, and until when').action(async (options) =>
    onExit(await (await commands()).listSessions(options)),
  );
  command(session, 'end', 'sign all browsers of a token or person out at once')
    .argument('<name>')
    .action(async (name, options) => onExit(await (await commands()).endSessions(name, options)));
}

function addPins(program: Command, onExit: OnExit): void {
  const commands = () => import('./commands/pins.ts');
  const pins = program
    .command('pins')
    .description("MCP servers' tools as goals see them, and what changed since");
  command(pins, 'list', 'what changed, with the difference; --all for every tool')
    .option('--all', 'also what did not change')
    .action(async (options) => onExit(await (await commands()).listPins(options)));
  command(pins, 'accept', 'let goals see a tool as its server describes it now')
    .argument('<workspace>')
    .argument('<tool>', 'mcp__SERVER__TOOL')
    .option('--hash <hash>', 'only this definition (default: what waits now)')
    .action(async (workspace, tool, options) =>
      onExit(await (await commands()).acceptPin(workspace, tool, options)),
    );
  command(pins, 'reset', "trust a server's tools anew at their next use")
    .argument('<workspace>')
    .argument('<server>')
    .action(async (workspace, server, options) =>
      onExit(await (await commands()).resetPins(workspace, server, options)),
    );
}

function addRules(program: Command, onExit: OnExit): void {
  const commands = () => import('./commands/rules.ts');
  const rules = program
    .command('rules')
    .description('what people let run for good, by workspace (approve --always)');
  command(rules, 'list', 'those that hold; --all for those that were revoked, too')
    .argument('[workspace]', 'of this one alone')
    .option('--all', 'also what was revoked')
    .action(async (workspace, options) =>
      onExit(await (await commands()).listRules(workspace, options)),
    );
  command(rules, 'revoke', 'ask about such calls again, from the next one on')
    .argument('<rule>')
    .action(async (rule, options) => onExit(await (await commands()).revokeRule(rule, options)));
}

function turnNumbers(text: string, before: readonly number[] | undefined): readonly number[] {
  return [...(before ?? []), turnNumber(text)];
}

function turnNumber(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give the number of a turn.');
}
