import { createHash } from 'node:crypto';
import {
  chmodSync,
  createReadStream,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readFileIfAny, writePrivateFile } from '../process/private-file.ts';
import { StackError } from './stack-error.ts';

const OTHERS_WRITE = 0o022;

/** Complete or not there at all, also when two processes do it at once. */
export function keepProgram(path: string, content: Buffer): void {
  openFolder(path);
  const temporary = `${path}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, content, { mode: 0o755, flag: 'wx' });
  chmodSync(temporary, 0o755);
  writePrivateFile(digestOf(path), createHash('sha256').update(content).digest('hex'));
  renameSync(temporary, path);
}

/**
 * Whether the program is there as it was kept: its folder and it are this user's or root's, nobody
 * else could write there, and its digest is the kept one. A former version kept no digest; what
 * stands alone is taken as it is then.
 *
 * @throws StackError if the folder is another user's
 */
export async function isAsKept(path: string): Promise<boolean> {
  const wasClosed = openFolder(path);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!wasClosed || stats === undefined || !stats.isFile() || !isOurs(stats)) return false;
  if ((stats.mode & OTHERS_WRITE) !== 0) return false;
  const kept = readFileIfAny(digestOf(path));
  const digest = await sha256(path);
  if (kept === null) writePrivateFile(digestOf(path), digest);
  return kept === null || kept === digest;
}

const digestOf = (path: string): string => `${path}.sha256`;

/** @returns whether only this user and root could change what is in it until now */
function openFolder(path: string): boolean {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  // The home is this user's own, so a link there is as well.
  const folder = realpathSync(dirname(path));
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || !isOurs(stats)) {
    throw new StackError(
      `${folder} belongs to another user, so a program there may be anybody's`,
      'Remove it, or give it to the user who runs the service.',
    );
  }
  if ((stats.mode & OTHERS_WRITE) === 0) return true;
  chmodSync(folder, stats.mode & 0o777 & ~OTHERS_WRITE);
  return false;
}

const isOurs = ({ uid }: Stats): boolean => uid === 0 || uid === process.getuid?.();

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
