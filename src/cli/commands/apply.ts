import type { AppliedBranch } from '../../../schema/applied-branch.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type CommonOptions, findGoalId, openSession, print } from '../session.ts';
import { oneLine } from '../terminal.ts';

/** Brings a worktree goal's branch into the workspace that it was made from. */
export async function apply(prefix: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const path = `/v1/goals/${goalId}/apply`;
  const applied = await session.client.send<AppliedBranch>('POST', path, {});
  print(session, applied, () => appliedLines(applied).join('\n'));
  return EXIT.complete;
}

function appliedLines({ branch, workspace, commit, files, isNew, left }: AppliedBranch): string[] {
  if (!isNew) return [`${workspace} has all of ${branch} already (${commit.slice(0, 12)}).`];
  const what = files === 1 ? '1 file' : `${files} files`;
  const kept = left.map(
    ({ path, why }) => `  not as on the branch: ${oneLine(path)} (${oneLine(why)})`,
  );
  return [`${workspace} is at ${commit.slice(0, 12)} with ${branch}: ${what}.`, ...kept];
}
