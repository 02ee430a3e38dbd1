import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Goal } from '../../../schema/goal.ts';
import type { ArchiveRecord } from '../../../schema/goal-archive.ts';
import type { Problem } from '../../../schema/problem.ts';
import { keepFormerArchive } from '../../archive/former-archive.ts';
import { type GoalReads, goalRecords } from '../../archive/goal-records.ts';
import { writeWholeFile } from '../../archive/whole-file.ts';
import { archiveLines } from '../../archive/write-archive.ts';
import type { GoalAtRest, WrittenArchive } from '../../contract/removed-goals.ts';
import type { ReadOwn } from '../application.ts';

/** The archive would not hold all of the goal, so the goal stays. */
export class NotWhole extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'NotWhole';
  }
}

/**
 * Writes the file of `goalkeeper export` for a goal that is over, on the disk when this returns.
 * @throws NotWhole where it lacks something, or the ledger is not what was written
 */
export async function archiveGoal(
  readOwn: ReadOwn,
  end: GoalAtRest,
  folder: string,
  by: string,
): Promise<WrittenArchive> {
  const { goalId, turns, ledgerSeq } = end;
  // The file bears it: a row that somebody else wrote names none elsewhere.
  if (!GOAL_ID.test(goalId)) throw new NotWhole('its id is none of the service’s');
  const reads = readsOf(readOwn);
  const goal = await reads.get<Goal>(`/v1/goals/${goalId}`);
  const { signal } = new AbortController();
  const all = goalRecords(reads, goal, { hasRequests: true, signal });
  const records = wholeOf(goal, all, { turns, rows: ledgerSeq });
  const path = join(folder, `${goalId}.goal.jsonl`);
  await keepFormerArchive(path, end);
  const lines = archiveLines({ goalId, at: new Date().toISOString(), by }, records);
  return { path, host: hostname(), ...(await writeWholeFile(path, lines)) };
}

const GOAL_ID = /^g-[0-9a-f]{16}$/;

/**
 * What files changed is no part of the record: the checkpoints may be gone, or on another machine. A
 * goal that a person accepted may have no proof.
 */
const mayMiss = (of: string, goal: Goal): boolean =>
  of === 'diff' || (of === 'proof' && goal.completion?.verification !== 'verified');

async function* wholeOf(
  goal: Goal,
  records: AsyncIterable<ArchiveRecord>,
  expected: { readonly turns: number; readonly rows: number },
): AsyncGenerator<ArchiveRecord> {
  const counts = { turns: 0, rows: 0 };
  for await (const record of records) {
    if (record.kind === 'turn') counts.turns += 1;
    if (record.kind === 'row') counts.rows += 1;
    if (record.kind === 'chain' && !record.value.holds) {
      throw new NotWhole(`its ledger is not what was written: ${record.value.problem}`);
    }
    if (record.kind === 'missing' && !mayMiss(record.of, goal)) {
      throw new NotWhole(`its archive would lack ${record.of}: ${record.why}`);
    }
    yield record;
  }
  if (counts.turns === expected.turns && counts.rows === expected.rows) return;
  throw new NotWhole(
    `its archive would hold ${counts.turns} of ${expected.turns} turns, and ${counts.rows} of ${expected.rows} rows`,
  );
}

class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

function readsOf(readOwn: ReadOwn): GoalReads {
  const bytes = async (path: string): Promise<Uint8Array> => {
    const answer = await readOwn(path);
    if (answer.status === 200) return answer.bytes;
    throw new Refused(JSON.parse(new TextDecoder().decode(answer.bytes)) as Problem);
  };
  const text = async (path: string) => new TextDecoder().decode(await bytes(path));
  return {
    get: async <Answer>(path: string) => JSON.parse(await text(path)) as Answer,
    text,
    async bytes(path) {
      const whole = await bytes(path);
      return (async function* () {
        yield whole;
      })();
    },
    // A fault of the service itself is no answer: the next look tries again.
    whyMissing: (error) =>
      error instanceof Refused && error.problem.status < 500 ? error.problem.detail : null,
  };
}
