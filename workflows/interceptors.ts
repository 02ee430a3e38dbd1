import {
  ApplicationFailure,
  patched,
  proxyActivities,
  proxySinks,
  type Sinks,
  type WorkflowInterceptors,
  workflowInfo,
} from '@temporalio/workflow';
import { activityIdOf, resultOf } from '../src/contract/activity-result.ts';
import { PAYLOAD_REFUSED } from '../src/contract/failure-types.ts';
import {
  firstRefused,
  type RefusedPayload,
  refusedIn,
  type SecurityRefusal,
  whyRefused,
} from '../src/contract/refused-payload.ts';
import { NAMED_RESULTS, SEALED_HISTORY } from './patches.ts';
import { askingAgain } from './refused-results.ts';

/** What the worker tells people; calls of a replay are not repeated. */
export interface SecuritySinks extends Sinks {
  security: { refused(refusal: SecurityRefusal): void };
}

/**
 * Nothing of Temporal's is believed that the codec didn't open. What is refused may depend only on
 * the payload itself wherever the history holds it: keys come and go between two replays.
 */
export function interceptors(): WorkflowInterceptors {
  const { security } = proxySinks<SecuritySinks>();
  /** False for runs that began before payloads were encrypted. */
  let isSealed = false;
  let namesResults = false;
  const end = endOfExecution();
  /** The codec tells of missing keys itself, also in a replay. */
  const tell = (what: SecurityRefusal['what'], name: string, refused: RefusedPayload): void => {
    const { workflowId } = workflowInfo();
    if (refused.why !== 'key') security.refused({ ...refused, what, name, workflowId });
  };
  return {
    inbound: [
      {
        async execute(input, next) {
          const refused = firstRefused(input.args);
          namesResults = patched(NAMED_RESULTS);
          isSealed = namesResults || patched(SEALED_HISTORY);
          if (refused === null) return await Promise.race([next(input), end.given]);
          tell('start', workflowInfo().workflowType, refused);
          throw startRefused(refused);
        },
        // A refused update leaves no trace in the history.
        validateUpdate(input, next) {
          const refused = firstRefused(input.args);
          if (refused === null) return next(input);
          tell('update', input.name, refused);
          throw failureOf(refused);
        },
        handleUpdate(input, next) {
          const refused = firstRefused(input.args);
          if (refused === null) return next(input);
          // It was opened when it was accepted: its key has gone, and the goal waits for it.
          throw new Error(`An accepted update can't be read: ${whyRefused(refused)}`);
        },
        async handleSignal(input, next) {
          if (!isSealed) return await next(input);
          const refused = refusedUnlessSent(input.args[0]);
          if (refused !== null) tell('signal', input.signalName, refused);
          // One under a key that is not here may be genuine, and a signal only makes the goal look
          // into the record.
          if (refused?.why !== 'plain') await next({ ...input, args: [] });
        },
      },
    ],
    outbound: [
      {
        async scheduleActivity(input, next) {
          if (!isSealed) return await next(input);
          const { activityType, args, options, seq } = input;
          const activityId = activityIdOf(seq, workflowInfo().runId, namesResults);
          const given = await next({ ...input, options: { ...options, activityId } });
          const result = resultOf(activityId, given);
          if (result.refused === null) return result.value;
          tell('result', activityType, result.refused);
          const again = await askingAgain(options);
          if (again !== null) return await proxyActivities(again)[activityType]?.(...args);
          return await end.by(failureOf(result.refused));
        },
      },
    ],
  };
}

interface EndOfExecution {
  readonly given: Promise<never>;
  /** Nobody decides anything by what never came: whoever waits for it waits until the end. */
  by(failure: ApplicationFailure): Promise<never>;
}

function endOfExecution(): EndOfExecution {
  let reject: (failure: ApplicationFailure) => void = () => {};
  const given = new Promise<never>((_resolve, rejects) => {
    reject = rejects;
  });
  return {
    given,
    by(failure) {
      reject(failure);
      return new Promise<never>(() => {});
    },
  };
}

/** Workers and the API send no signal without a payload, so one that has none isn't theirs. */
const refusedUnlessSent = (value: unknown): RefusedPayload | null =>
  value === undefined ? { why: 'plain', keyId: null } : refusedIn(value);

/** Without its key the start waits; any other ends the execution at once. */
const startRefused = (refused: RefusedPayload): Error =>
  refused.why === 'key'
    ? new Error(`The start can't be read: ${whyRefused(refused)}`)
    : failureOf(refused);

const failureOf = (refused: RefusedPayload): ApplicationFailure =>
  ApplicationFailure.create({
    message: `Refused: ${whyRefused(refused)}`,
    type: PAYLOAD_REFUSED,
    nonRetryable: true,
  });
