import { setTimeout as delay } from 'node:timers/promises';
import {
  type Client,
  isGrpcServiceError,
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { ProblemCode } from '../../schema/problem.ts';
import { type Accepted, orderUpdate, urgentOrderUpdate } from '../../workflows/goal.contract.ts';
import {
  COME_AGAIN,
  ORDER_REFUSED,
  PAYLOAD_REFUSED,
  REFUSAL,
  type RefusalDetails,
  SUPERSEDED,
} from '../contract/failure-types.ts';
import { Refusal } from '../contract/failures.ts';
import type { GoalsPort } from '../contract/goals.ts';
import type { Mutation } from '../contract/mutation.ts';
import { endsWork, type OrdersPort } from '../contract/orders.ts';
import type { Reach, ReaderPort } from '../contract/reads.ts';
import type { RecordPort } from '../contract/record.ts';
import type { TaskQueues } from '../contract/task-queues.ts';
import { type TemporalTlsError, TLS_PROBLEMS, type TlsProblem } from '../contract/temporal-tls.ts';
import { createKeyedLimiter } from './keyed-limiter.ts';
import { workflowIdOf } from './names.ts';
import { PayloadRefused } from './payload-codec.ts';
import { pingNamespace } from './ping-namespace.ts';
import { startGoal } from './start-goal.ts';

/** How long a caller waits for the commit before it is told that no worker answered. */
const UPDATE_PATIENCE_MS = 15_000;
/** How long an accepted goal's caller waits for its start before the reconciler takes over. */
const START_PATIENCE_MS = 2000;
/** Temporal counts as away if a ping takes longer. */
const PING_PATIENCE_MS = 2000;
/** A run hands over to the next one in less than a tenth of a second, unless its work takes long. */
const SHORTEST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 400;
/** The execution may be replaced between lookup and call, so each try looks it up again. */
const TRIES = 4;

/**
 * A run accepts ten updates at a time from all API processes together, and Temporal rejects the
 * rest for seconds. Two API processes stay within that limit.
 */
const UPDATES_AT_ONCE = 5;

const NOT_FOUND = 5;
const DEADLINE_EXCEEDED = 4;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const UNAUTHENTICATED = 16;
/** The workflow task fails and is tried again: its key is not here, or its code is another. */
const FAILED_PRECONDITION = 9;

export interface GoalClientPorts {
  readonly client: Client;
  readonly queues: TaskQueues;
  /** Why TLS lets nothing through; null = that isn't it. */
  readonly diagnose: () => Promise<TemporalTlsError | null>;
  readonly reader: Pick<ReaderPort, 'reach'>;
  readonly record: Pick<RecordPort, 'commitMutation'>;
  readonly orders: Pick<OrdersPort, 'place'>;
  /** Gives an execution up that Temporal no longer knows. */
  readonly markLost: (reach: Reach) => Promise<void>;
}

type Attempted = { readonly revision: number } | 'look again' | 'come again';

/** Reaches goals through their workflow while one is open, and through the record otherwise. */
export function createGoalClient(ports: GoalClientPorts): GoalsPort {
  const { client, reader } = ports;
  const updates = createKeyedLimiter(UPDATES_AT_ONCE);
  return {
    ensureStarted: (goal) => startSoon(ports, goal),
    async mutate(mutation, goalId) {
      await ports.orders.place(goalId, mutation);
      const comeAgain = comingAgain();
      for (let attempt = 1; attempt <= TRIES; ) {
        const reach = await reader.reach(goalId);
        if (reach === null) throw new Refusal('not_found', `No such goal: ${goalId}`);
        const result = await (hasExecution(reach)
          ? updates.run(goalId, () => throughUpdate(ports, reach, mutation))
          : throughRecord(ports, mutation, goalId));
        if (result === 'come again') await comeAgain();
        else if (result === 'look again') attempt += 1;
        else return result;
      }
      throw new Refusal('temporal_unavailable', 'The goal changes its execution; try again');
    },
    async endReplaced({ goalId, epoch }) {
      const handle = client.workflow.getHandle(workflowIdOf(goalId, epoch));
      const terminate = () => handle.terminate('the goal was replaced');
      await withDeadline(client, START_PATIENCE_MS, terminate).catch((error: unknown) => {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      });
    },
    async ping() {
      // A handshake tells at once what a call finds out by its deadline.
      await assertTrusted(ports);
      await admitted(() => pingNamespace(client));
    },
  };
}

const withDeadline = <Result>(client: Client, milliseconds: number, work: () => Promise<Result>) =>
  client.connection.withDeadline(Date.now() + milliseconds, work);

const startSoon = (
  { client, queues }: Pick<GoalClientPorts, 'client' | 'queues'>,
  goal: { goalId: string; epoch: number },
): Promise<void> => withDeadline(client, START_PATIENCE_MS, () => startGoal(client, queues, goal));

/** Asked before a call that says itself whether it is admitted. */
const ping = (client: Client): Promise<void> =>
  admitted(() =>
    withDeadline(client, PING_PATIENCE_MS, () =>
      client.connection.workflowService.getSystemInfo({}),
    ),
  );

async function admitted(call: () => Promise<unknown>): Promise<void> {
  await call().catch((error: unknown) => {
    throw accessRefused(error) ?? error;
  });
}

/** Temporal answers, and not this service; null = that isn't it. */
function accessRefused(error: unknown): Refusal | null {
  const isIt =
    isGrpcServiceError(error) && [PERMISSION_DENIED, UNAUTHENTICATED].includes(error.code);
  if (!isIt) return null;
  const problem = 'access_refused' satisfies TlsProblem;
  const said = `${TLS_PROBLEMS[problem]} (${error.details}). Correct TEMPORAL_API_KEY`;
  return new Refusal('temporal_unavailable', said, { problem });
}

/** Asked first, because an update that times out can't tell an absent server from a busy worker. */
async function assertReachable(ports: GoalClientPorts): Promise<void> {
  const away = new Refusal(
    'temporal_unavailable',
    'Temporal cannot be reached; a retry with the same Idempotency-Key is safe',
  );
  await ping(ports.client).catch(async (error: unknown) => {
    await assertTrusted(ports);
    throw error instanceof Refusal ? error : away;
  });
}

/** @throws Refusal that names what stands between */
async function assertTrusted({ diagnose }: GoalClientPorts): Promise<void> {
  const found = await diagnose();
  if (found === null) return;
  const { problem, message } = found;
  throw new Refusal('temporal_unavailable', `Temporal cannot be trusted: ${message}`, { problem });
}

/** An accepted goal that is not started yet counts as having an execution too. */
const hasExecution = ({ status, runId, isArchived }: Reach): boolean =>
  status !== 'complete' && !isArchived && (runId !== null || status === 'active');

async function throughUpdate(
  ports: GoalClientPorts,
  reach: Reach,
  mutation: Mutation,
): Promise<Attempted> {
  const { client } = ports;
  const { goalId, epoch, runId } = reach;
  await assertReachable(ports);
  try {
    if (runId === null) await startGoal(client, ports.queues, reach);
    const handle = client.workflow.getHandle(workflowIdOf(goalId, epoch));
    return await withDeadline(client, UPDATE_PATIENCE_MS, () =>
      handle.executeUpdate<Accepted, [string]>(
        endsWork(mutation) ? urgentOrderUpdate : orderUpdate,
        { args: [mutation.commitId], updateId: mutation.commitId },
      ),
    );
  } catch (error) {
    return await afterFailedUpdate(ports, reach, error);
  }
}

async function afterFailedUpdate(
  ports: GoalClientPorts,
  reach: Reach,
  error: unknown,
): Promise<Attempted> {
  const failure = error instanceof WorkflowUpdateFailedError ? error.cause : null;
  if (failure instanceof ApplicationFailure && failure.type === COME_AGAIN) return 'come again';
  if (failure instanceof ApplicationFailure && failure.type === PAYLOAD_REFUSED)
    throw new Refusal('worker_unavailable', `No worker can read it. ${failure.message}`);
  if (failure instanceof ApplicationFailure && isRefusal(failure)) throw toRefusal(failure);
  if (failure instanceof ApplicationFailure && failure.type === SUPERSEDED) return 'look again';
  // The workflow ended after accepting the update, so the record tells whether it was committed.
  if (error instanceof WorkflowUpdateFailedError) return 'look again';
  if (isNotFound(error)) {
    await giveUpIfGone(ports, reach);
    return 'look again';
  }
  throw unreachable(error);
}

/** One caller's pauses between tries; outside of the queue, so that a `pause` can overtake. */
function comingAgain(): () => Promise<void> {
  const end = Date.now() + UPDATE_PATIENCE_MS;
  let pauseMs = SHORTEST_PAUSE_MS;
  return async () => {
    if (Date.now() > end) throw noRoom();
    await delay(pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  };
}

const noRoom = (): Refusal =>
  new Refusal(
    'worker_unavailable',
    'The goal takes no more changes before its present work is recorded; a retry with the same Idempotency-Key is safe',
  );

const isNotFound = (error: unknown): boolean =>
  error instanceof WorkflowNotFoundError || (isGrpcServiceError(error) && error.code === NOT_FOUND);

/** Completed on its own, or lost: only the second needs the record to give the execution up. */
async function giveUpIfGone(ports: GoalClientPorts, reach: Reach): Promise<void> {
  const now = await ports.reader.reach(reach.goalId);
  if (now !== null && now.runId === reach.runId && now.status === reach.status)
    await ports.markLost(now);
}

function unreachable(error: unknown): unknown {
  if (error instanceof PayloadRefused) return new Refusal('worker_unavailable', error.message);
  // The client hides what the server or the wire said behind an error of its own.
  const said = error instanceof ServiceError ? error.cause : error;
  const refused = accessRefused(said);
  if (refused !== null) return refused;
  const isTimeout =
    error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
    (isGrpcServiceError(said) && said.code === DEADLINE_EXCEEDED);
  if (isTimeout) {
    return new Refusal(
      'worker_unavailable',
      'No worker answered in time; a retry with the same Idempotency-Key is safe',
    );
  }
  if (isGrpcServiceError(said) && said.code === FAILED_PRECONDITION) {
    return new Refusal(
      'worker_unavailable',
      "The worker can't go on with the goal now, as its log says; a retry with the same Idempotency-Key is safe",
    );
  }
  if (isGrpcServiceError(said) && said.code === RESOURCE_EXHAUSTED) {
    return new Refusal(
      'temporal_unavailable',
      'Temporal takes no more calls at this moment; a retry with the same Idempotency-Key is safe',
    );
  }
  return isGrpcServiceError(said)
    ? new Refusal(
        'temporal_unavailable',
        'Temporal cannot be reached; a retry with the same Idempotency-Key is safe',
      )
    : error;
}

async function throughRecord(
  ports: GoalClientPorts,
  mutation: Mutation,
  goalId: string,
): Promise<Attempted> {
  const { commitId } = mutation;
  const { state, needsStart } = await ports.record.commitMutation(null, { commitId }, goalId);
  // If this fails or the process dies here, the reconciler starts the goal.
  if (needsStart) await startSoon(ports, state).catch(() => {});
  return { revision: state.revision };
}

const isRefusal = ({ type }: ApplicationFailure): boolean =>
  type === REFUSAL || type === ORDER_REFUSED;

function toRefusal(failure: ApplicationFailure): Refusal {
  const details = failure.details?.[0] as RefusalDetails | undefined;
  if (details === undefined) return new Refusal('internal', failure.message);
  return new Refusal(details.code as ProblemCode, details.detail, { ...details.data });
}
