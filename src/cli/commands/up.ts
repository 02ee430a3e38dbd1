import { type RereadLog, standingConfig } from '../../app/standing-rules.ts';
import type { Config } from '../../contract/config.ts';
import { onHangUp } from '../../process/hang-up.ts';
import { AlreadyRunning } from '../../stack/home-lock.ts';
import type { StackAddresses } from '../../stack/own-process.ts';
import { type Stack, startStack } from '../../stack/up.ts';
import { consoleLink } from '../console-link.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { CommonOptions } from '../session.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { untilEnded } from '../until-ended.ts';
import { parseWorkspaces } from '../workspace-option.ts';

export interface UpOptions extends CommonOptions {
  readonly workspace?: readonly string[];
  readonly workers?: number;
}

/** Everything on this machine, until Ctrl-C. A second one tells where the first one serves. */
export async function up(options: UpOptions): Promise<ExitCode> {
  const { config, reread } = standingConfig();
  const terminal = processTerminal();
  const workspaces = parseWorkspaces(options.workspace ?? []).map(
    ({ name, path }) => `${name}=${path}`,
  );
  for (const warning of config.warnings) terminal.err(terminal.paint.notable(warning));
  const ended = untilEnded();
  let stack: Stack | null = null;
  onHangUp(() => {
    reread(logOn(terminal));
    stack?.reread();
  });
  try {
    stack = await startStack(config, {
      onProgress: (message) => terminal.err(terminal.paint.dim(message)),
      workspaces,
      handOver,
      ...(options.workers === undefined ? {} : { workers: options.workers }),
    });
    tell(terminal, options, stack.url, config.home);
    await tellConsole(terminal, stack.url, config);
    await ended;
    await stop(terminal, stack);
    return EXIT.complete;
  } catch (error) {
    if (!(error instanceof AlreadyRunning) || error.url === null) throw error;
    terminal.err(error.message);
    tell(terminal, options, error.url, config.home);
    await tellConsole(terminal, error.url, config);
    return EXIT.complete;
  }
}

/** API and workers say the same in their own logs. */
function logOn(terminal: Terminal): RereadLog {
  const say = (about: object, said: string) => terminal.err(`${said} ${JSON.stringify(about)}`);
  return { info: say, warn: say, error: say };
}

/** Loaded when a worker has died, not while everything starts. */
async function handOver(
  workerId: string,
  addresses: StackAddresses,
  config: Config,
): Promise<void> {
  const { handOverGoals } = await import('../hand-over-goals.ts');
  await handOverGoals(workerId, addresses, config);
}

function tell(terminal: Terminal, options: UpOptions, url: string, home: string): void {
  terminal.out(options.json === true ? JSON.stringify({ url, home }) : url);
  terminal.err(`documentation at ${url}/docs, everything kept in ${home}`);
}

/** A link that signs in, where only the person who started this reads it. */
async function tellConsole(terminal: Terminal, url: string, config: Config): Promise<void> {
  const link = process.stderr.isTTY === true ? await consoleLink(url, config.tokens) : null;
  const page = link === null ? `console at ${url}/goals` : `console at ${link} (signs in once)`;
  terminal.err(page);
}

async function stop(terminal: Terminal, stack: Stack): Promise<void> {
  terminal.err('stopping; running calls get a moment to end');
  await stack.stop();
}
