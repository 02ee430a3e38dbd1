import { join } from 'node:path';
import { z } from 'zod';
import { readFileIfAny, writePrivateFile } from '../process/private-file.ts';
import { type Fingerprint, takeFingerprint } from '../workspace/fingerprint.ts';
import type { SliceRun } from './slice-run.ts';

/** The host's look at a workspace, before and after a session worked in it. */
export interface Look {
  /** Null: it was lost, so anything may have changed. */
  readonly before: Fingerprint | null;
  readonly keep: (now: Fingerprint) => void;
}

const stamp = z.tuple([z.string(), z.number(), z.number(), z.number(), z.number()]);
const kept = z.array(stamp);

/**
 * A turn of a session lasts longer than a slice and than its worker, so the last look is kept in
 * the service's own folder. It is the beginning of the next turn too: nothing lies between.
 */
const fileOf = ({ ports, input }: SliceRun): string =>
  join(ports.home, 'sessions', `${input.goalId}.json`);

/** Looks at the workspace before the first turn; later ones begin where the one before ended. */
export async function beginLooking(run: SliceRun): Promise<void> {
  if (read(run) !== null) return;
  keep(run, await takeFingerprint(run.brief.workspace.path));
}

export async function lastLookOf(run: SliceRun): Promise<Look> {
  return { before: read(run), keep: (now) => keep(run, now) };
}

function keep(run: SliceRun, seen: Fingerprint): void {
  const stamps = [...seen].map(([path, { ctimeMs, ino, size, mtimeMs }]) => [
    ...[path, ctimeMs, ino, size, mtimeMs],
  ]);
  writePrivateFile(fileOf(run), JSON.stringify(stamps));
}

function read(run: SliceRun): Fingerprint | null {
  const text = readFileIfAny(fileOf(run));
  const found = text === null ? null : kept.safeParse(parsed(text));
  if (found?.success !== true) return null;
  return new Map(
    found.data.map(([path, ctimeMs, ino, size, mtimeMs]) => [
      path,
      { ctimeMs, ino, size, mtimeMs },
    ]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
