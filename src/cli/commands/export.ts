import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { ArchiveRecord } from '../../../schema/goal-archive.ts';
import { type GoalReads, goalRecords } from '../../archive/goal-records.ts';
import { archiveLines } from '../../archive/write-archive.ts';
import { productVersion } from '../../version.ts';
import { ApiProblem, type Client } from '../client.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { type CommonOptions, findGoal, openSession, print } from '../session.ts';

interface ExportOptions extends CommonOptions {
  readonly out?: string;
  readonly requests?: boolean;
}

/** The goal as one file, which `show --archive` reads without a service. */
export async function exportGoal(prefix: string, options: ExportOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goal = await findGoal(session, prefix);
  const { goalId } = goal;
  const { signal } = new AbortController();
  const counts: Record<string, number> = {};
  const wanted = { hasRequests: options.requests === true, signal };
  const records = counted(goalRecords(readsOf(session.client), goal, wanted), counts);
  const header = { goalId, at: new Date().toISOString(), by: productVersion() };
  const lines = archiveLines(header, records);
  const out = options.out ?? `${goalId}.goal.jsonl`;
  if (out === '-') {
    await pipeline(lines, process.stdout, { end: false });
    return EXIT.complete;
  }
  await writeWhole(out, lines);
  const { turn: turns = 0, row: rows = 0, missing = 0 } = counts;
  const left = missing === 0 ? '' : `, ${missing} parts could not be had`;
  print(
    session,
    { goalId, file: out, turns, rows, missing },
    () => `${out}: ${goalId}, ${turns} turns, ${rows} rows${left}`,
  );
  return EXIT.complete;
}

const readsOf = (client: Client): GoalReads => ({
  get: client.get,
  text: client.text,
  bytes: async (path, signal) => (await client.open(path, {}, signal)).body ?? NOTHING,
  whyMissing: (error) => (error instanceof ApiProblem ? error.problem.detail : null),
});

const NOTHING = (async function* () {})();

async function* counted(
  records: AsyncIterable<ArchiveRecord>,
  counts: Record<string, number>,
): AsyncGenerator<ArchiveRecord> {
  for await (const record of records) {
    counts[record.kind] = (counts[record.kind] ?? 0) + 1;
    yield record;
  }
}

/** A file that is there is whole; it is for its owner alone, as it holds all that was said. */
async function writeWhole(out: string, lines: AsyncIterable<string>): Promise<void> {
  const target = await realpath(out).catch(() => out);
  const known = await stat(target).catch(() => null);
  const beside = `${target}.${randomUUID().slice(0, 8)}.partial`;
  try {
    // A pipe or a device takes the lines themselves.
    if (known !== null && !known.isFile()) return await pipeline(lines, createWriteStream(target));
    await pipeline(lines, createWriteStream(beside, { flags: 'wx', mode: 0o600 }));
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    const why = (error as Error).message;
    throw new UsageError(`${out} can't be written: ${why}`, 'Name another --out FILE.');
  }
}
