import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { homeOf } from '../service.ts';
import { launchAgent, type ServicePlan, systemdUnit } from '../service-files.ts';
import { processTerminal } from '../terminal.ts';
import { parseWorkspaces } from '../workspace-option.ts';

export interface InstallOptions {
  readonly system?: boolean;
  readonly user?: string;
  readonly workspace?: readonly string[];
  readonly workers?: number;
  readonly dryRun?: boolean;
}

/** Writes the file by which systemd or launchd keeps `up` running, and says what starts it. */
export async function installService(options: InstallOptions): Promise<ExitCode> {
  const terminal = processTerminal();
  const plan = planOf(options);
  const { path, content, next } = fileOf(plan, options);
  if (options.dryRun === true) {
    terminal.err(`${path} would be:`);
    terminal.out(content.trimEnd());
    return EXIT.complete;
  }
  writeService(path, content);
  const settings = join(plan.home, 'service.env');
  if (options.system !== true) makePrivateFile(settings);
  terminal.out(path);
  terminal.err(`Put settings as NAME=value into ${settings}, then:`);
  for (const command of next) terminal.err(`  ${command}`);
  return EXIT.complete;
}

function planOf(options: InstallOptions): ServicePlan {
  const [, entry = ''] = process.argv;
  if (entry.endsWith('.ts')) {
    throw new UsageError('A service runs what was built.', 'Run "npm run build" and dist/… first.');
  }
  if (options.system === true && options.user === undefined) {
    throw new UsageError(
      'A service of the system needs a user who owns its files.',
      'Name one: --user goalkeeper. It should not be root.',
    );
  }
  const workspaces = parseWorkspaces(options.workspace ?? []);
  return {
    node: process.execPath,
    entry: resolve(entry),
    arguments: [
      ...workspaces.flatMap(({ name, path }) => ['--workspace', `${name}=${path}`]),
      ...(options.workers === undefined ? [] : ['--workers', String(options.workers)]),
    ],
    home: options.system === true ? '/var/lib/goalkeeper' : homeOf(process.env),
    path: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    user: options.system === true ? (options.user ?? null) : null,
  };
}

interface ServiceFile {
  readonly path: string;
  readonly content: string;
  readonly next: readonly string[];
}

function fileOf(plan: ServicePlan, { system = false }: InstallOptions): ServiceFile {
  if (process.platform === 'darwin') {
    if (system) throw new UsageError('On macOS it runs for a user.', 'Leave --system out.');
    const path = join(homedir(), 'Library', 'LaunchAgents', 'goalkeeper.plist');
    const domain = `gui/${userInfo().uid}`;
    return { path, content: launchAgent(plan), next: [`launchctl bootstrap ${domain} ${path}`] };
  }
  const folder = system ? '/etc/systemd/system' : join(configFolder(), 'systemd', 'user');
  const systemctl = system ? 'systemctl' : 'systemctl --user';
  return {
    path: join(folder, 'goalkeeper.service'),
    content: systemdUnit(plan),
    next: [
      `${systemctl} daemon-reload`,
      `${systemctl} enable --now goalkeeper`,
      ...(system ? [] : ['loginctl enable-linger   # it outlives your session']),
    ],
  };
}

const configFolder = (): string => process.env.XDG_CONFIG_HOME || join(homedir(), '.config');

function writeService(path: string, content: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o644 });
    // One of a former version may be anybody's to write.
    chmodSync(path, 0o644);
  } catch (error) {
    throw new UsageError(
      `${path} can't be written: ${(error as Error).message}`,
      'Run it as root for --system, or see the file by --dry-run.',
    );
  }
}

function makePrivateFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
