import type { Problem } from '../api/types.ts';
import { quoted } from './shell-words.ts';

/** The service's words for it, and where its archive lies. */
export type RemovedGoal = Pick<Problem, 'detail'> & { readonly archive?: unknown };

/** The command that reads its archive, on the machine that has it; null where none is known. */
export function archiveOf({ archive }: RemovedGoal): string | null {
  const path = (archive as { readonly path?: unknown } | null | undefined)?.path;
  return typeof path === 'string' ? `goalkeeper show --archive ${quoted(path)}` : null;
}
