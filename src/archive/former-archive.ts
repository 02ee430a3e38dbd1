import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** By what an archive is known as that of one record of a goal. */
export interface RecordEnd {
  readonly goalId: string;
  readonly revision: number;
  readonly ledgerSeq: number;
  readonly ledgerHead: string;
}

/**
 * A database that was put back has less of a goal than the archive that was written before that. An
 * archive of another record of the goal, or one that is damaged, gets a name of its own beside the
 * path, by its SHA-256, before anything takes its place.
 */
export async function keepFormerArchive(path: string, end: RecordEnd): Promise<void> {
  const found = await endOf(path);
  if (found === null) return;
  if (found.revision === end.revision && found.rows === end.ledgerSeq && found.head === headOf(end))
    return;
  const aside = join(dirname(path), `${end.goalId}.${found.sha256.slice(0, 12)}.goal.jsonl`);
  await link(path, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

const headOf = ({ ledgerSeq, ledgerHead }: RecordEnd): string | null =>
  ledgerSeq === 0 ? null : ledgerHead;

interface Found {
  readonly revision: unknown;
  readonly rows: number;
  readonly head: unknown;
  readonly sha256: string;
}

/** Null where there is none. A file that is none of ours has another end than any record. */
async function endOf(path: string): Promise<Found | null> {
  const digest = createHash('sha256');
  let [revision, head, rows]: [unknown, unknown, number] = [null, null, 0];
  try {
    for await (const line of linesOf(createReadStream(path), digest)) {
      const value = saidIn(line);
      if (value?.kind === 'goal') revision = value.value?.revision;
      if (value?.kind === 'row') [head, rows] = [value.value?.hash, rows + 1];
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return { revision, rows, head, sha256: digest.digest('hex') };
}

async function* linesOf(bytes: AsyncIterable<Buffer>, digest: Hash): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  for await (const piece of bytes) {
    digest.update(piece);
    let from = 0;
    for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, from)) {
      yield Buffer.concat([...held, piece.subarray(from, at)]);
      [held, from] = [[], at + 1];
    }
    held.push(piece.subarray(from));
  }
}

const LINE_END = '\n';

interface Line {
  readonly kind?: unknown;
  readonly value?: { readonly revision?: unknown; readonly hash?: unknown };
}

/** Outputs and what models were asked are long, and say nothing of the end. */
const SAYS = ['{"kind":"goal"', '{"kind":"row"'].map((start) => Buffer.from(start));

function saidIn(line: Buffer): Line | null {
  if (!SAYS.some((start) => line.subarray(0, start.byteLength).equals(start))) return null;
  try {
    return JSON.parse(line.toString()) as Line;
  } catch {
    return null;
  }
}
