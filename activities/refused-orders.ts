import { Context } from '@temporalio/activity';
import { OrderRefused, OtherInstallation } from '../src/contract/failures.ts';
import type { SecurityRefusal } from '../src/contract/refused-payload.ts';
import { withFailures } from './failures.ts';

export type TellRefused = (refusal: SecurityRefusal) => void;

/** Tells people where Temporal asked for what nobody ordered here. */
export const withOrders = <Result>(
  tell: TellRefused,
  about: Pick<SecurityRefusal, 'what' | 'name'>,
  work: () => Promise<Result>,
): Promise<Result> =>
  withFailures(() =>
    work().catch((error: unknown) => {
      if (error instanceof OrderRefused || error instanceof OtherInstallation) {
        const workflowId = Context.current().info.workflowExecution?.workflowId ?? '';
        tell({ ...about, why: error.why, keyId: null, workflowId });
      }
      throw error;
    }),
  );
