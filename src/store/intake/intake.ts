import { Refusal } from '../../contract/failures.ts';
import type { IntakePort } from '../../contract/intake.ts';
import { isUniqueViolation, withTypedErrors } from '../client.ts';
import type { Store } from '../store.ts';
import { insertRequest } from './requests.ts';
import { startGoal } from './start-goal.ts';

export interface IntakeOptions {
  /** Called after a goal was accepted or replaced; it must not throw or block. */
  readonly onAppended?: (goalId: string) => void;
}

/** The API's writes: requests, accepted goals, workspaces. */
export function createIntake({ sql: db, prisma }: Store, options: IntakeOptions = {}): IntakePort {
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
      const known = await prisma.request.findUnique({ where: { commitId } });
      if (known === null || known.httpStatus === null) return null;
      return { httpStatus: known.httpStatus, answer: known.answer };
    },

    // A committed request isn't refused, even if its caller met an error afterwards.
    async dropRequest(commitId) {
      await db`
        DELETE FROM request r WHERE commit_id = ${commitId} AND http_status IS NULL
          AND NOT EXISTS (SELECT 1 FROM commit c WHERE c.commit_id = r.commit_id)`;
    },

    async registerWorkspace({ name, path, host, taskQueue, marker, ...tree }) {
      const { isRepository = false, worktreeProblem = null } = tree;
      const data = { path, host, taskQueue, isRepository, worktreeProblem };
      const where = { name, marker };
      const { count } = await prisma.workspace.updateMany({ where, data });
      if (count === 1) return;
      try {
        await prisma.workspace.create({ data: { ...where, ...data } });
        return;
      } catch (error) {
        if (!isUniqueViolation(error, 'workspace_pkey')) throw error;
      }
      // Another caller registered the name first, for the same tree or another one.
      const again = await prisma.workspace.updateMany({ where, data });
      if (again.count === 1) return;
      throw new Refusal('invalid_request', `The workspace name "${name}" belongs to another tree`, {
        field: 'workspace.name',
      });
    },
  });
}
