import { createHash } from 'node:crypto';
import type { Goal } from '../../../schema/goal.ts';
import { PROBLEMS } from '../../../schema/problem.ts';
import type { Caller } from '../../../schema/role.ts';
import type { Heartbeat, ScheduledStart } from '../../../schema/schedule.ts';
import { Refusal } from '../../contract/failures.ts';
import type { StoredRequest } from '../../contract/intake.ts';
import type { OpenRun, RunEnd } from '../../contract/schedules.ts';
import { startRounds } from '../../process/rounds.ts';
import type { Ports } from '../application.ts';
import { noSuchGoal } from '../goal-lookup.ts';
import { answerOnce, goalOfAct } from '../idempotency.ts';
import { may } from '../may.ts';
import { acceptStart, judgeStart, type StartNeeds } from '../start-goal.ts';
import { createTokens, type Tokens } from '../tokens.ts';
import { overGoal } from './judge.ts';
import { ownerNow } from './owner.ts';

export type CarryOutNeeds = StartNeeds | 'scheduleRuns';

interface Log {
  warn(about: object, message: string): void;
}

const EVERY_MS = 1000;

/** Carries out what is due, in every API process; a lock of the database lets one of them work. */
export function startScheduleRounds(
  ports: Ports<CarryOutNeeds>,
  log: Log,
): { stop(): Promise<void> } {
  const tokens = createTokens(ports.settings.tokens, ports.tokens);
  return startRounds(async () => {
    try {
      if (!(await ports.scheduleRuns.hasOpen())) return false;
      await ports.scheduleRuns.withLock(async () => {
        for (const run of await ports.scheduleRuns.open()) await carryOut(ports, tokens, run, log);
      });
    } catch (error) {
      log.warn({ err: error }, 'what is due of schedules could not be looked at');
    }
    return false;
  }, EVERY_MS);
}

/** As its owner would; a failure of the service itself leaves it due. */
async function carryOut(
  ports: Ports<CarryOutNeeds>,
  tokens: Tokens,
  run: OpenRun,
  log: Log,
): Promise<void> {
  const { dueAt, schedule } = run;
  try {
    await ports.scheduleRuns.settle(run, await endOf(ports, tokens, run, log));
  } catch (error) {
    const { scheduleId } = schedule;
    log.warn({ err: error, scheduleId, dueAt }, 'a due time is not carried out: it is tried again');
    const reason =
      error instanceof Refusal ? error.message : 'The service failed; its log says how';
    await ports.scheduleRuns.troubled(run, `It is tried again. ${reason}`);
  }
}

async function endOf(
  ports: Ports<CarryOutNeeds>,
  tokens: Tokens,
  run: OpenRun,
  log: Log,
): Promise<RunEnd> {
  const { schedule, isDeleted, isIntact } = run;
  if (isDeleted) return { state: 'skipped', reason: 'the schedule was deleted' };
  if (!isIntact) return { state: 'refused', reason: 'What is stored of it was changed.' };
  const caller = await ownerNow(tokens, schedule);
  if (caller === null) {
    const reason = `The token of ${schedule.owner} has ended.`;
    return { state: 'refused', reason, pauses: 'owner_ended' };
  }
  const { start, wake } = schedule.action;
  try {
    return start === undefined
      ? await wakeGoal(ports, caller, run, wake)
      : await startIt(ports, caller, run, { start, log });
  } catch (error) {
    if (error instanceof Unfit) return error.end;
    if (!(error instanceof Refusal) || PROBLEMS[error.code].status >= 500) throw error;
    return { state: 'refused', reason: error.message };
  }
}

/** The goal takes no heartbeat now, or never more. It counts as a refusal, which leaves no request. */
class Unfit extends Refusal {
  readonly end: RunEnd;

  constructor(end: RunEnd) {
    super('invalid_transition', end.reason ?? '');
    this.end = end;
  }
}

/** The key of a due time: whatever dies in between, the second attempt gets the first one's answer. */
function requestOf(
  principal: Caller,
  { dueAt, schedule: { scheduleId, action } }: OpenRun,
  body: object,
  goalId: string | null,
): StoredRequest {
  return {
    principal,
    route: `SCHEDULE ${scheduleId}`,
    key: dueAt,
    bodyHash: createHash('sha256').update(JSON.stringify(action)).digest('hex'),
    body,
    commitId: `${scheduleId}-${Date.parse(dueAt)}`,
    goalId,
  };
}

async function startIt(
  ports: Ports<CarryOutNeeds>,
  principal: Caller,
  run: OpenRun,
  { start, log }: { readonly start: ScheduledStart; readonly log: Log },
): Promise<RunEnd> {
  if (may(principal, 'startGoal', null) !== 'yes') return notAllowed(principal);
  const asked = requestOf(principal, run, start, null);
  const { body } = await answerOnce(ports.intake, asked, async (stored) => {
    const judged = await judgeStart(ports, principal, start, goalOfAct(stored));
    await acceptStart(ports, { principal, stored, input: start, log }, judged);
  });
  return { state: 'started', goalId: (body as Goal).goalId };
}

const notAllowed = ({ role }: Caller): RunEnd => ({
  state: 'refused',
  reason: `The role ${role} may not do that.`,
});

async function wakeGoal(
  ports: Ports<CarryOutNeeds>,
  principal: Caller,
  run: OpenRun,
  { goalId, text }: Heartbeat,
): Promise<RunEnd> {
  const said = `${run.schedule.name}: ${text}`;
  const asked = requestOf(principal, run, { text: said }, goalId);
  await answerOnce(ports.intake, asked, async ({ commitId }) => {
    await assertWakeable(ports, principal, goalId);
    const by = { commitId, role: principal.role, by: principal.name };
    const message = { kind: 'message', delivery: 'steer', isHeartbeat: true } as const;
    await ports.goals.mutate({ ...by, ...message }, goalId);
  });
  return { state: 'woken', goalId, messageId: `m-${asked.commitId}` };
}

/** @throws Refusal */
async function assertWakeable(
  ports: Ports<'reader'>,
  principal: Caller,
  goalId: string,
): Promise<void> {
  const owner = await ports.reader.owner(goalId);
  const reach = await ports.reader.reach(goalId);
  const isSeen = owner !== null && may(principal, 'sendMessage', owner) === 'yes';
  if (!isSeen || reach === null) {
    throw new Unfit({ state: 'refused', reason: noSuchGoal(goalId).message, pauses: 'goal_over' });
  }
  if (reach.isArchived || reach.status === 'complete') {
    throw new Unfit({ state: 'refused', reason: overGoal(goalId).message, pauses: 'goal_over' });
  }
  if (reach.status === 'active') return;
  throw new Unfit({
    state: 'skipped',
    goalId,
    reason: `The goal is ${reach.status} and waits for a person.`,
  });
}
