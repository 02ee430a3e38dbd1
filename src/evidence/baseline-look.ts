import type { Criterion } from '../../schema/criteria.ts';
import type { SeenAtBaseline } from '../contract/goal-brief.ts';
import { readGit } from '../workspace/git/read-git.ts';
import { ifSilent } from '../workspace/git/run-git.ts';
import { PathRefused } from '../workspace/paths.ts';
import { lookAtDiagnostics } from './diagnostics/look.ts';
import type { HostRun } from './host-run.ts';
import { type FileSpec, hashProtected, lookAtFile } from './look-at-file.ts';

export interface BaselineLook {
  readonly state: 'met' | 'unmet' | 'not_run';
  readonly reason: string;
  readonly seen?: SeenAtBaseline;
}

type Unrun = Exclude<Criterion, { kind: 'command' }>;

/** State of a criterion without a command before the work begins. */
export async function lookAtBaseline(
  host: HostRun,
  { criterionId, spec }: { readonly criterionId: string; readonly spec: Unrun },
): Promise<BaselineLook> {
  const { workspace } = host;
  switch (spec.kind) {
    case 'file':
      return await lookAtFileFirst(workspace, spec);
    case 'git': {
      const git = await readGit(workspace, null).catch(ifSilent(null));
      const reason = 'nothing is committed yet';
      if (git === null) return { state: 'unmet', reason: 'the workspace is no git repository' };
      return { state: 'unmet', reason, seen: { git: { head: git.head, loose: git.loose } } };
    }
    case 'diagnostics': {
      const look = await lookAtDiagnostics(host, criterionId, spec.paths);
      const failed = look.couldNotRun ? 'not_run' : 'unmet';
      const seen = { checkers: look.checkers };
      return { state: look.holds ? 'met' : failed, reason: look.reason, seen };
    }
    default:
      return { state: 'unmet', reason: 'looked at when the work is done' };
  }
}

async function lookAtFileFirst(workspace: string, spec: FileSpec): Promise<BaselineLook> {
  if (spec.protect === undefined) {
    const { holds, reason } = await lookAtFile(workspace, spec, undefined);
    return { state: holds ? 'met' : 'unmet', reason };
  }
  try {
    const hash = await hashProtected(workspace, spec.path);
    return { state: 'met', reason: 'protected as it is', seen: { hash } };
  } catch (error) {
    if (!(error instanceof PathRefused)) throw error;
    return { state: 'unmet', reason: error.message };
  }
}
