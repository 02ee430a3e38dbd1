import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptors, InjectedSinks } from '@temporalio/worker';
import type { SecuritySinks } from '../../workflows/interceptors.ts';
import { resultFor } from '../contract/activity-result.ts';
import { PAYLOAD_REFUSED } from '../contract/failure-types.ts';
import { OtherInstallation } from '../contract/failures.ts';
import { firstRefused, whyRefused } from '../contract/refused-payload.ts';
import type { Masker } from '../secrets/masker.ts';
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

/** Before a failure's words are cut for Temporal: of a secret that is cut, nobody knows the rest. */
export const failingWithoutSecrets = (mask: Masker) => (): ActivityInterceptors => ({
  inbound: {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        throw withoutSecrets(error, mask, new Set());
      }
    },
  },
});

/** The error itself, whose class says what happens next. */
function withoutSecrets(error: unknown, mask: Masker, seen: Set<unknown>): unknown {
  if (!(error instanceof Error)) return mask.value(error);
  seen.add(error);
  const set = (name: string, value: unknown) =>
    Reflect.defineProperty(error, name, { value, configurable: true, writable: true });
  set('message', mask.text(String(error.message)));
  set('stack', mask.text(String(error.stack ?? '')));
  if (error instanceof ApplicationFailure) set('details', mask.value(error.details));
  const { cause } = error;
  if (cause === undefined) return error;
  // A circle has no end for Temporal's converter.
  set('cause', seen.has(cause) ? undefined : withoutSecrets(cause, mask, seen));
  return error;
}

/** What workflows tell of. */
export const tellingSinks = (tell: TellRefusal): InjectedSinks<SecuritySinks> => ({
  security: { refused: { fn: (_info, refusal) => tell(refusal), callDuringReplay: false } },
});
