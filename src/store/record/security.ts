import type { SecurityPort } from '../../contract/security.ts';
import { withTypedErrors } from '../client.ts';
import { appendEvents } from '../events.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { addToSecurityLog } from '../ledger/security-entries.ts';
import type { Store } from '../store.ts';

export const createSecurityStore = (
  { sql: db }: Store,
  keys: LedgerKeys,
  onAppended: (goalId: string) => void,
): SecurityPort =>
  withTypedErrors<SecurityPort>({
    async refused(goalId, { workflowId, ...data }) {
      await addToSecurityLog(db, keys, {
        ...{ who: null, role: null, address: null, what: 'temporal_refused' },
        ...{ subject: goalId ?? workflowId, result: 'refused', data: { ...data } },
      });
      if (goalId === null) return;
      await db.begin((tx) => appendEvents(tx, goalId, [{ type: 'security.refused', data }]));
      onAppended(goalId);
    },
  });
