import type { Command } from 'commander';
import { whole } from '../budget-options.ts';
import { collect, withGoalOptions } from '../run-options.ts';
import { addPins, addRules, addSessions, addTokens } from './access.ts';
import { command, json, type OnExit } from './new-command.ts';
import { addTriggers } from './triggers.ts';

export function addService(program: Command, onExit: OnExit): void {
  command(
    program,
    'doctor',
    'what works, what does not, and the way out (exit: 0 all, 1 warnings, 3 no)',
  )
    .option('--online', 'and one real call to the default model')
    .action(async (options) =>
      onExit(await (await import('../commands/doctor.ts')).doctor(options)),
    );
  command(program, 'up', 'start everything here: database, Temporal, workers and API')
    .option('--workspace <name=path>', 'folder to serve by a name; repeatable', collect)
    .option('--workers <n>', 'how many worker processes', whole)
    .option('-d, --detach', 'leave it running, and return when it serves')
    .action(async (options) => onExit(await (await import('../commands/up.ts')).up(options)));
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
      onExit(await (await import('../commands/migrate.ts')).migrate(options)),
    );
  command(program, 'backup', 'copy this home with its keys and its database, served or not')
    .argument('<folder>', 'where the copy goes; not there yet')
    .option('--files', 'the home alone, where DATABASE_URL names a PostgreSQL of your own')
    .action(async (folder, options) =>
      onExit(await (await import('../commands/backup.ts')).backup(folder, options)),
    );
  command(program, 'restore', 'put a backup in GOALKEEPER_HOME, which is empty')
    .argument('<folder>', 'what "goalkeeper backup" made')
    .action(async (folder, options) =>
      onExit(await (await import('../commands/backup.ts')).restore(folder, options)),
    );
  command(program, 'api', 'serve the API alone (needs DATABASE_URL and TEMPORAL_ADDRESS)').action(
    async () => onExit(await (await import('../commands/api.ts')).api()),
  );
  program
    .command('mcp')
    .description(
      'start, watch and pause goals for another agent: an MCP server on stdin and stdout',
    )
    .action(async () => onExit(await (await import('../commands/mcp.ts')).mcp()));
  withGoalOptions(
    program
      .command('acp')
      .description(
        'goals as sessions of an editor, which starts this as its agent (Zed and others)',
      ),
  ).action(async (options) => onExit(await (await import('../commands/acp.ts')).acp(options)));
  command(program, 'worker', 'run goals here (needs DATABASE_URL and TEMPORAL_ADDRESS)')
    .option('--workspace <name=path>', 'folder to serve by a name; repeatable', collect)
    .option('--workers <n>', 'so many processes, each started again when it dies', whole)
    .action(async (options) =>
      onExit(
        options.workers > 1
          ? await (await import('../commands/workers.ts')).workers(options)
          : await (await import('../commands/worker.ts')).worker(options),
      ),
    );
}

function addRunning(program: Command, onExit: OnExit): void {
  const commands = () => import('../commands/running.ts');
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
      onExit(await (await import('../commands/logs.ts')).logs(part, options)),
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
      onExit(await (await import('../commands/service.ts')).installService(options)),
    );
  command(program, 'open', 'a new link that signs a browser in to the console, once').action(
    async (options) => onExit(await (await import('../commands/open.ts')).open(options)),
  );
}

function addConfig(program: Command, onExit: OnExit): void {
  const commands = () => import('../commands/config.ts');
  const config = program.command('config').description('settings of the service here');
  command(config, 'show', 'each setting, and whether environment, file or default says it').action(
    async (options) => onExit(await (await commands()).showConfig(options)),
  );
  command(config, 'check', 'read a file as the service would, and change nothing')
    .argument('[file]', 'default: the one that the service reads')
    .action(async (file, options) => onExit(await (await commands()).checkConfig(file, options)));
}

function addSecurityLog(program: Command, onExit: OnExit): void {
  const commands = () => import('../commands/security-log.ts');
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
  const commands = () => import('../commands/anchors.ts');
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
