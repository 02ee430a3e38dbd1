import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptors, InjectedSinks } from '@temporalio/worker';
import type { SecuritySinks } from '../../workflows/interceptors.ts';
import { resultFor } from '../contract/activity-result.ts';
import { PAYLOAD_REFUSED } from '../contract/failure-types.ts';
import { OtherInstallation } from '../contract/failures.ts';
import { firstRefused, whyRefused } from '../contract/refused-payload.ts';
import type { TellRefusal } from './payload-codec.ts';

/** Nothing runs by an input that the service didn't encrypt, whoever put it into the queue. */
export const refusingActivities =
  (tell: TellRefusal) =>
  ({ info }: Context): ActivityInterceptors => ({
    inbound: {
      async execute(input, next) {
        const refused = firstRefused(input.args);
        if (refused === null) return resultFor(info.activityId, await next(input));
        const workflowId = info.workflowExecution?.workflowId ?? '';
        tell({ ...refused, what: 'activity', name: info.activityType, workflowId });
        throw ApplicationFailure.create({
          message: `Refused: ${whyRefused(refused)}`,
          type: PAYLOAD_REFUSED,
          nonRetryable: true,
        });
      },
    },
  });

/**
 * A record that another one took the place of would end what it doesn't know. Such an end goes back
 * as a failure that is tried again, until the worker has its own record once more.
 */
export const endingInOwnRecord =
  (isOwnRecord: () => Promise<boolean>) => (): ActivityInterceptors => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input);
        } catch (error) {
          const isEnd = error instanceof ApplicationFailure && error.nonRetryable === true;
          if (!isEnd || (await isOwnRecord())) throw error;
          throw new OtherInstallation(`Another record is behind this worker: ${error.message}`);
        }
      },
    },
  });

/** What workflows tell of. */
export const tellingSinks = (tell: TellRefusal): InjectedSinks<SecuritySinks> => ({
  security: { refused: { fn: (_info, refusal) => tell(refusal), callDuringReplay: false } },
});
