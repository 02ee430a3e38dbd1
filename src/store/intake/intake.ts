import { Refusal } from '../../contract/failures.ts';
import type { IntakePort } from '../../contract/intake.ts';
import { type Database, withTypedErrors } from '../client.ts';
import { insertRequest } from './requests.ts';
import { startGoal } from './start-goal.ts';

export interface IntakeOptions {
  /** Rung after a goal was accepted or replaced; it must not throw and not wait. */
  readonly onAppended?: (goalId: string) => void;
}

/** What the API writes: requests, accepted goals, workspaces. */
export function createIntake(db: Database, options: IntakeOptions = {}): IntakePort {
  return withTypedErrors<IntakePort>({
    startGoal: (request, goal, slot) => startGoal(db, request, goal, slot, options.onAppended),

    reserveRequest(request) {
      return db.begin(async (tx) => {
        const { commitId, httpStatus, answer } = await insertRequest(tx, request);
        if (httpStatus === null) return { kind: 'proceed' as const, commitId };
        return { kind: 'answered' as const, httpStatus, answer };
      });
    },

    async answerOf(commitId) {
      const [known] = await db<{ httpStatus: number; answer: unknown }[]>`
        SELECT http_status AS "httpStatus", answer FROM request
        WHERE commit_id = ${commitId} AND http_status IS NOT NULL`;
      return known ?? null;
    },

    // A request whose commit went through is no refused one, whatever its caller met afterwards.
    async dropRequest(commitId) {
      await db`
        DELETE FROM request r WHERE commit_id = ${commitId} AND http_status IS NULL
          AND NOT EXISTS (SELECT 1 FROM commit c WHERE c.commit_id = r.commit_id)`;
    },

    async registerWorkspace({ name, path, host, taskQueue, marker, ...tree }) {
      const { isRepository = false, worktreeProblem = null } = tree;
      const registered = await db`
        INSERT INTO workspace (name, path, host, task_queue, marker, is_repository,
          worktree_problem)
        VALUES (${name}, ${path}, ${host}, ${taskQueue}, ${marker}, ${isRepository},
          ${worktreeProblem})
        ON CONFLICT (name) DO UPDATE SET path = ${path}, host = ${host},
          task_queue = ${taskQueue}, is_repository = ${isRepository},
          worktree_problem = ${worktreeProblem}
          WHERE workspace.marker = ${marker}`;
      if (registered.count === 1) return;
      throw new Refusal('invalid_request', `The workspace name "${name}" belongs to another tree`, {
        field: 'workspace.name',
      });
    },
  });
}
