import type { IntakePort } from '../../contract/intake.ts';
import { withTypedErrors } from '../client.ts';
import { storeReportedCall } from '../journal/session-reports.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import type { Store } from '../store.ts';
import { registerTree } from './register-tree.ts';
import { insertRequest } from './requests.ts';
import { startGoal } from './start-goal.ts';

export interface IntakeOptions {
  /** Called after a goal was accepted or replaced; it must not throw or block. */
  readonly onAppended?: (goalId: string) => void;
  /** Seal the start of a goal. */
  readonly ledgerKeys: LedgerKeys;
}

/** The API's writes: requests, accepted goals, workspaces. */
export function createIntake({ sql: db, prisma }: Store, options: IntakeOptions): IntakePort {
  const keys = options.ledgerKeys;
  return withTypedErrors<IntakePort>({
    startGoal: (request, goal, slot, tree) =>
      startGoal(db, keys, request, { goal, slot, tree: tree ?? null }, options.onAppended),

    reserveRequest(request) {
      return db.begin(async (tx) => {
        const { commitId, httpStatus, answer } = await insertRequest(tx, keys, request);
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

    reportCall: (goalId, call) => storeReportedCall(db, goalId, call),

    registerWorkspace: (tree) => db.begin((tx) => registerTree(tx, keys, tree)),
  });
}
