import { type RereadLog, standingConfig } from '../../app/standing-rules.ts';
import type { Config } from '../../contract/config.ts';
import { onClosedOutput, onHangUp } from '../../process/hang-up.ts';
import { AlreadyRunning } from '../../stack/home-lock.ts';
import { type Stack, startStack } from '../../stack/up.ts';
import { consoleLink } from '../console-link.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { handOver } from '../hand-over.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { endable } from '../until-ended.ts';
import type { UpOptions } from '../up-options.ts';
import { whyNoModel } from '../why-no-model.ts';
import { parseWorkspaces } from '../workspace-option.ts';

/** Everything on this machine, until Ctrl-C. A second one tells where the first one serves. */
export async function up(options: UpOptions): Promise<ExitCode> {
  if (options.detach === true) return await (await import('./detached.ts')).upDetached(options);
  const { config, reread } = standingConfig();
  const terminal = processTerminal();
  const workspaces = parseWorkspaces(options.workspace ?? []).map(
    ({ name, path }) => `${name}=${path}`,
  );
  for (const warning of config.warnings) terminal.err(terminal.paint.notable(warning));
  const lacks = await whyNoModel(config);
  if (lacks !== null) terminal.err(terminal.paint.you(lacks));
  let stack: Stack | null = null;
  const { ended, end } = endable(() => stack?.hurry());
  onClosedOutput(end);
  // Whatever breaks here, the servers and workers are stopped in order; none is left behind.
  let broke: unknown = null;
  process.on('uncaughtException', (error) => {
    broke ??= error;
    end();
  });
  onHangUp(() => {
    reread(logOn(terminal));
    stack?.reread();
  }, end);
  try {
    stack = await startStack(config, {
      onProgress: (message) => terminal.err(terminal.paint.dim(message)),
      onWarning: (message) => terminal.err(terminal.paint.bad(message)),
      workspaces,
      handOver,
      ...(options.workers === undefined ? {} : { workers: options.workers }),
    });
    tell(terminal, options, stack.url, config.home);
    await tellConsole(terminal, stack.url, config);
    await ended;
    await stop(terminal, stack, config);
    if (broke !== null) throw broke;
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

async function stop(terminal: Terminal, stack: Stack, { drainSeconds }: Config): Promise<void> {
  terminal.err(`stopping; running calls get up to ${drainSeconds} s to end (Ctrl-C: at once)`);
  await stack.stop();
}
