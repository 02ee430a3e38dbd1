import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { ConfigError, type Environment } from '../../contract/config.ts';
import { readFileIfAny, writePrivateFile } from '../../process/private-file.ts';
import { MINIMUM_TOKEN_LENGTH, WAY_OUT } from './environment.ts';

export const homeOf = (environment: Environment): string =>
  environment.GOALKEEPER_HOME
    ? resolve(environment.GOALKEEPER_HOME)
    : join(dataFolder(environment), 'goalkeeper');

/** @throws ConfigError */
export function openHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    closeToOthers(home);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ConfigError(
      'GOALKEEPER_HOME',
      `(${home}) can't be made: ${reason}`,
      WAY_OUT.GOALKEEPER_HOME,
    );
  }
}

/** Others may at most pass, where somebody let them: what lies in it is nobody else's to see. */
function closeToOthers(home: string): void {
  const { mode, uid } = statSync(home);
  const isOwn = process.getuid?.() === uid || process.getuid?.() === 0;
  // A folder like /tmp serves others too.
  const isShared = (mode & 0o1000) !== 0;
  if (isOwn && !isShared && (mode & 0o066) !== 0) chmodSync(home, mode & 0o7711);
}

/** Relative values are to be ignored, says the XDG specification. */
function dataFolder(environment: Environment): string {
  const folder = environment.XDG_DATA_HOME;
  return folder && isAbsolute(folder) ? folder : join(homedir(), '.local', 'share');
}

export function keptToken(home: string): string {
  const path = join(home, 'token');
  const stored = readFileIfAny(path)?.trim() ?? '';
  if (stored.length >= MINIMUM_TOKEN_LENGTH) {
    chmodSync(path, 0o600);
    return stored;
  }
  const token = randomBytes(32).toString('base64url');
  writePrivateFile(path, `${token}\n`);
  return token;
}

export function warningsOf(home: string): string[] {
  const repository = repositoryAround(home);
  if (!repository) return [];
  return [
    `The home folder ${home} lies in the git work tree ${repository}: an agent that works there ` +
      'could reach the records that judge it. Set GOALKEEPER_HOME to a folder outside.',
  ];
}

function repositoryAround(folder: string): string | null {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current;
    if (current === dirname(current)) return null;
  }
}
