import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Role } from '../../schema/role.ts';
import { UsageError } from './exit-code.ts';

/** The API's address and the token for it. */
export interface Service {
  readonly url: string;
  readonly token: string;
  /** The highest role to act with, even if the token has a higher one. */
  readonly role?: Role;
  /** W3C Trace Context of whoever runs this command. */
  readonly traceparent?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** From the environment, or from what the running service left in its home folder. */
export function findService(environment: Environment): Service {
  const home = homeOf(environment);
  const url = environment.GOALKEEPER_URL || runningUrl(home);
  if (url === null) {
    throw new UsageError(
      `No service runs from ${home}.`,
      'Start it with "goalkeeper up", or set GOALKEEPER_URL.',
    );
  }
  if (!/^https?:\/\//.test(url)) {
    throw new UsageError(`GOALKEEPER_URL is "${url}".`, 'Give it as http://HOST:PORT.');
  }
  const { TRACEPARENT: traceparent } = environment;
  const service = { url: url.replace(/\/+$/, ''), token: tokenOf(environment, home) };
  return traceparent && /^[\w-]+$/.test(traceparent) ? { ...service, traceparent } : service;
}

/** The same folder as the service's own configuration, but never made by looking for it. */
export function homeOf(environment: Environment): string {
  const named = environment.XDG_DATA_HOME;
  const dataFolder = named && isAbsolute(named) ? named : join(homedir(), '.local', 'share');
  return environment.GOALKEEPER_HOME || join(dataFolder, 'goalkeeper');
}

function runningUrl(home: string): string | null {
  const text = readIfPresent(join(home, 'run.json'));
  if (text === null) return null;
  try {
    const { apiUrl } = JSON.parse(text) as { apiUrl?: unknown };
    return typeof apiUrl === 'string' ? apiUrl : null;
  } catch {
    return null;
  }
}

function tokenOf(environment: Environment, home: string): string {
  const token =
    environment.GOALKEEPER_TOKEN ||
    strongestOf(environment.GOALKEEPER_TOKENS) ||
    readIfPresent(join(home, 'token'))?.trim();
  if (token) return token;
  throw new UsageError('There is no token for the service.', 'Set GOALKEEPER_TOKEN.');
}

/** A person at the terminal of the service's own machine acts with its strongest token. */
function strongestOf(list: string | undefined): string | undefined {
  const entries = (list ?? '').split(',').map((entry) => entry.trim());
  const byRole = (role: string) => entries.find((entry) => entry.startsWith(`${role}:`));
  const entry = ['admin', 'operator', 'agent', 'viewer']
    .map(byRole)
    .find((found) => found !== undefined);
  return entry?.slice(entry.indexOf(':') + 1);
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new UsageError(
      `${path} can't be read: ${(error as Error).message}`,
      'Check who owns it.',
    );
  }
}
