import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptors, InjectedSinks } from '@temporalio/worker';
import type { SecuritySinks } from '../../workflows/interceptors.ts';
import { resultFor } from '../contract/activity-result.ts';
import { PAYLOAD_REFUSED } from '../contract/failure-types.ts';
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

/** What workflows tell of. */
export const tellingSinks = (tell: TellRefusal): InjectedSinks<SecuritySinks> => ({
  security: { refused: { fn: (_info, refusal) => tell(refusal), callDuringReplay: false } },
});
