import type { ChangedHunk, FileChanges } from '../../../schema/changes.ts';
import type { Checkpoints, Rewind } from '../../../schema/checkpoint.ts';
import type { Goal } from '../../../schema/goal.ts';
import { readDiff } from '../../archive/read-diff.ts';
import { diffLines } from '../diff-text.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { nowText } from '../goal-text.ts';
import { type CommonOptions, findGoalId, openSession, print, type Session } from '../session.ts';
import { oneLine, paintOfResults, printable } from '../terminal.ts';

interface DiffOptions extends CommonOptions {
  readonly from?: string;
  readonly to?: string;
  readonly stat?: boolean;
  readonly path?: string;
}

export async function diff(prefix: string, options: DiffOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  if (options.path !== undefined) {
    const file = await readFile(session, goalId, options.path, options);
    print(session, file, () => fileText(file));
    return EXIT.complete;
  }
  const isStat = options.stat === true;
  const found = await readDiff(session.client, goalId, options, isStat);
  print(session, found, () => diffLines(found, paintOfResults(), isStat).join('\n'));
  return EXIT.complete;
}

const ends = ({ from, to }: Pick<DiffOptions, 'from' | 'to'>) => ({
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

async function readFile(
  session: Session,
  goalId: string,
  path: string,
  options: DiffOptions,
): Promise<FileChanges> {
  const asked = new URLSearchParams({ path, limit: '2000', ...ends(options) });
  const hunks: ChangedHunk[] = [];
  for (;;) {
    const page = await session.client.get<FileChanges>(`/v1/goals/${goalId}/changes/file?${asked}`);
    hunks.push(...page.hunks);
    if (page.nextCursor === null) return { ...page, hunks };
    asked.set('cursor', page.nextCursor);
  }
}

function fileText({ path, isBinary, hunks }: FileChanges): string {
  if (isBinary) return `${oneLine(path)}: binary`;
  return hunks
    .flatMap((hunk) => [
      `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@ ${oneLine(hunk.section)}`,
      `   ${writersText(hunk)}`,
      ...hunk.lines.map(printable),
    ])
    .join('\n');
}

/** Who wrote a hunk, as far as the record tells. */
function writersText({ turns, rows, unknown, madeStale }: ChangedHunk): string {
  const calls = rows.map(({ seq, tool }) => `#${seq} ${tool}`).join(' or ');
  return [
    turns.length === 0 ? 'turn unknown' : `turn ${turns.join(', ')}`,
    ...(calls === '' ? [] : [calls]),
    ...(unknown === null ? [] : [`unknown: ${unknown}`]),
    ...(madeStale.length === 0 ? [] : [`made stale: ${madeStale.join(', ')}`]),
  ].join('; ');
}

interface RewindOptions extends CommonOptions {
  readonly turn?: number;
  readonly undo?: boolean;
}

export async function rewind(prefix: string, options: RewindOptions): Promise<ExitCode> {
  const { turn, undo } = options;
  if ((turn === undefined) === (undo === undefined)) {
    throw new UsageError(
      'It is not said how far to go back.',
      'Give --turn N, or --undo to take the last rewind back.',
    );
  }
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const body = turn === undefined ? { undo: true } : { turn };
  const goal = await session.client.send<Goal>('POST', `/v1/goals/${goalId}/rewind`, body);
  const done = await session.client
    .get<Checkpoints>(`/v1/goals/${goalId}/checkpoints`)
    .catch(() => null);
  const lines = rewindLines(done?.rewinds.at(-1));
  print(session, goal, () =>
    [...lines, `${goal.goalId} is ${goal.status}: ${nowText(goal)}`].join('\n'),
  );
  return EXIT.complete;
}

const SHOWN = 20;

/** The result of the rewind, and where to find the overwritten files. */
function rewindLines(rewind: Rewind | undefined): string[] {
  if (rewind === undefined || rewind.state === 'begun') return [];
  const { number, state, changed = 0, left = [], edited = [], reason = '' } = rewind;
  const head =
    state === 'failed'
      ? `rewind ${number} failed: ${oneLine(reason)}`
      : `rewind ${number}: ${changed} files changed`;
  const stay = left.map(({ path, why }) => `  not as it was: ${oneLine(path)} (${oneLine(why)})`);
  const kept = edited.map(
    ({ path, checkpoint }) => `  edited meanwhile, kept in ${checkpoint}: ${oneLine(path)}`,
  );
  return [head, ...stay.slice(0, SHOWN), ...kept.slice(0, SHOWN)];
}
