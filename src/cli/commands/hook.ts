import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import {
  EVERY_EVENT,
  HOOK_AGENTS,
  type HookAgent,
  hookedEvents,
  withHooks,
  withoutHooks,
} from '../hooks/settings.ts';
import { changeSettings, type Level, readSettings, settingsPath } from '../hooks/settings-file.ts';
import { type CommonOptions, print } from '../session.ts';
import { processTerminal } from '../terminal.ts';

export interface HookOptions extends CommonOptions {
  readonly project?: boolean;
  readonly user?: boolean;
}

const TRUST: Readonly<Record<HookAgent, string>> = {
  claude: 'Claude Code reads them when a session starts.',
  codex: 'Codex asks you to trust them when a session starts.',
};

/** Writes our hooks beside what is there. */
export function installHooks(name: string, options: HookOptions): ExitCode {
  const { agent, path } = placeOf(name, options);
  const isChanged = changeSettings(path, (settings) => withHooks(settings, commandOf(agent)));
  const said = isChanged ? `Written to ${path}. ${TRUST[agent]}` : `${path} has them already.`;
  tell(options, { agent, path, isChanged }, said);
  return EXIT.complete;
}

/** Takes our hooks out and leaves the rest. */
export function uninstallHooks(name: string, options: HookOptions): ExitCode {
  const { agent, path } = placeOf(name, options);
  const isChanged = changeSettings(path, withoutHooks);
  const said = isChanged ? `Taken out of ${path}.` : `${path} has none of ours.`;
  tell(options, { agent, path, isChanged }, said);
  return EXIT.complete;
}

/** Each place where an agent would read hooks, and whether ours are there. */
export function hookStatus(options: CommonOptions): ExitCode {
  const places = HOOK_AGENTS.flatMap((agent) =>
    (['project', 'user'] as const).map((level) => {
      const path = pathOf(agent, level);
      return { agent, level, path, state: stateOf(path) };
    }),
  );
  const lines = places.map(
    ({ agent, level, path, state }) => `${agent} ${level}: ${state} (${path})`,
  );
  tell(options, places, lines.join('\n'));
  return EXIT.complete;
}

function stateOf(path: string): string {
  try {
    const settings = readSettings(path);
    const events = settings === null ? [] : hookedEvents(settings);
    if (events.length === 0) return 'not installed';
    const missing = EVERY_EVENT.filter((event) => !events.includes(event));
    return missing.length === 0 ? 'installed' : `incomplete, without ${missing.join(', ')}`;
  } catch {
    return 'not readable as settings';
  }
}

function tell(options: CommonOptions, value: unknown, text: string): void {
  print({ terminal: processTerminal(), isJson: options.json === true }, value, () => text);
}

function placeOf(name: string, { project, user }: HookOptions) {
  const agent = HOOK_AGENTS.find((one) => one === name);
  if (agent === undefined)
    throw new UsageError(`There are no hooks for "${name}".`, `Name ${HOOK_AGENTS.join(' or ')}.`);
  if (project === true && user === true)
    throw new UsageError('--project and --user are two files.', 'Give one of them.');
  return { agent, path: pathOf(agent, user === true ? 'user' : 'project') };
}

const pathOf = (agent: HookAgent, level: Level): string =>
  settingsPath(agent, level, { folder: process.cwd(), environment: process.env });

/** By its name where a shell finds it, since others may share the file; else by its own place. */
function commandOf(agent: HookAgent): string {
  if (isOnPath()) return `goalkeeper hook run ${agent}`;
  const [, entry = ''] = process.argv;
  return `${quoted(process.execPath)} ${quoted(realpathSync(entry))} hook run ${agent} # goalkeeper`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const isOnPath = (): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, 'goalkeeper'), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
