import type { ChangedFile, GoalDiff } from '../../schema/checkpoint.ts';

export interface DiffEnds {
  readonly from?: string;
  readonly to?: string;
}

/** All files that differ, whatever pages they come in. */
export async function readDiff(
  client: { get<Answer>(path: string): Promise<Answer> },
  goalId: string,
  { from, to }: DiffEnds,
  isStat = false,
): Promise<GoalDiff> {
  const asked = new URLSearchParams({
    ...{ limit: '200', stat: String(isStat) },
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  });
  const files: ChangedFile[] = [];
  for (;;) {
    const page = await client.get<GoalDiff>(`/v1/goals/${goalId}/diff?${asked}`);
    files.push(...page.files);
    if (page.nextCursor === null) return { ...page, files };
    asked.set('cursor', page.nextCursor);
  }
}
