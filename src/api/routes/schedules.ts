import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type NewSchedule, newScheduleSchema, scheduleSchema } from '../../../schema/schedule.ts';
import type { SecurityEntry } from '../../../schema/security-log.ts';
import { Refusal } from '../../contract/failures.ts';
import type { StoredRequest } from '../../contract/intake.ts';
import type { MadeSchedule, ScheduleChange } from '../../contract/schedules.ts';
import { sees, sightOf } from '../../policy/sight.ts';
import { type Ports, principalOf, type Route } from '../application.ts';
import { keyed, operation, pageOf, scheduleParams } from '../contract.ts';
import { noSuchSchedule } from '../goal-lookup.ts';
import { answerOnce, hasLeft, storedRequest } from '../idempotency.ts';
import type { OperationId } from '../roles.ts';
import { judgeAction } from '../schedules/judge.ts';
import { ownerNow } from '../schedules/owner.ts';
import { entryOf } from '../security-entry.ts';
import type { StartNeeds } from '../start-goal.ts';
import { createTokens } from '../tokens.ts';

type Needs = StartNeeds | 'schedules';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const tag = 'schedules';
const answer = scheduleSchema;

const described = {
  create: keyed('createSchedule', {
    ...{ tag, answer, status: 201 },
    summary: 'Start goals, or wake one, by the clock, with the rights of whoever asks for it',
  }),
  list: operation('listSchedules', {
    ...{ tag, answer: pageOf(scheduleSchema) },
    summary: 'Schedules by name, with their next due time and newest runs',
  }),
  get: operation('getSchedule', {
    ...{ tag, answer },
    summary: 'One schedule, with its newest runs',
  }),
};

/** What may be asked of one: path, operation, what the security log calls it, and in words. */
const CHANGES: readonly {
  readonly change: ScheduleChange;
  readonly operationId: OperationId;
  readonly what: SecurityEntry['what'];
  readonly summary: string;
}[] = [
  {
    ...{ change: 'pause', operationId: 'pauseSchedule', what: 'schedule_paused' },
    summary: 'Nothing comes due until it is resumed; what runs goes on',
  },
  {
    ...{ change: 'resume', operationId: 'resumeSchedule', what: 'schedule_resumed' },
    summary: 'Go on from now; due times of the pause are not made up',
  },
  {
    ...{ change: 'run', operationId: 'runSchedule', what: 'schedule_run' },
    summary: 'Once now, beside the clock, by the same overlap policy',
  },
  {
    ...{ change: 'delete', operationId: 'deleteSchedule', what: 'schedule_deleted' },
    summary: 'End it; its record stays, and what runs goes on',
  },
];

export const scheduleRoutes: Route<Needs> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/schedules',
    config: described.create.config,
    schema: { ...described.create.describe, body: newScheduleSchema },
    handler: (request, reply) => create(ports, { request, reply }, request.body),
  });
  application.route({
    method: 'GET',
    url: '/v1/schedules',
    config: described.list.config,
    schema: described.list.describe,
    handler: async (request) => {
      const items = await ports.schedules.list(sightOf(principalOf(request)));
      return { items, nextCursor: null };
    },
  });
  application.route({
    method: 'GET',
    url: '/v1/schedules/:scheduleId',
    config: described.get.config,
    schema: {
      ...described.get.describe,
      params: scheduleParams,
      querystring: z.strictObject({ runs: z.coerce.number().int().min(0).max(200).default(20) }),
    },
    handler: async (request) => {
      const { scheduleId } = request.params;
      const found = await ports.schedules.get(scheduleId, request.query.runs);
      if (found === null) throw noSuchSchedule(scheduleId);
      return found;
    },
  });
  for (const { change, operationId, what, summary } of CHANGES) {
    const { config, describe } = keyed(operationId, { tag, answer, summary });
    application.route({
      method: change === 'delete' ? 'DELETE' : 'POST',
      url: `/v1/schedules/:scheduleId${change === 'delete' ? '' : `/${change}`}`,
      config,
      schema: { ...describe, params: scheduleParams },
      handler: (request, reply) => {
        const { scheduleId } = request.params;
        return once(ports, { request, reply }, async (stored) => {
          if (change === 'resume') await assertOwned(ports, scheduleId);
          const entry = entryOf(request, what, { subject: scheduleId });
          await ports.schedules.change(stored, scheduleId, change, entry);
        });
      },
    });
  }
};

/** Stored, done once, and answered with the schedule as that left it. */
async function once(
  ports: Ports<'intake' | 'schedules'>,
  { request, reply }: Exchange,
  act: (stored: StoredRequest) => Promise<unknown>,
): Promise<unknown> {
  // The schedule itself holds what was asked for, masked.
  const stored = { ...storedRequest(request, null), body: {} };
  const done = await answerOnce(ports.intake, stored, act, hasLeft(request));
  if (done.isReplay) {
    const { scheduleId } = done.body as { scheduleId: string };
    const owner = await ports.schedules.owner(scheduleId);
    const isSeen = owner !== null && sees(sightOf(principalOf(request)), owner);
    if (!isSeen) throw noSuchSchedule(scheduleId);
    reply.header('idempotency-replayed', 'true');
  }
  return reply.code(done.httpStatus).send(done.body);
}

async function create(
  ports: Ports<Needs>,
  exchange: Exchange,
  { start, wake, ...input }: NewSchedule,
): Promise<unknown> {
  const { request } = exchange;
  const caller = principalOf(request);
  return once(ports, exchange, async (stored) => {
    const owned = { owner: caller.name, role: caller.role, seesOwn: caller.seesOwn === true };
    await assertLasting(ports, owned);
    const judged = await judgeAction(ports, caller, { start, wake });
    const made: MadeSchedule = {
      ...{ ...input, ...owned, ...judged },
      scheduleId: `sc-${randomBytes(8).toString('hex')}`,
      createdAt: new Date().toISOString(),
    };
    const data = { name: made.name, workspace: made.workspace };
    const entry = entryOf(request, 'schedule_made', { subject: made.scheduleId, data });
    await ports.schedules.add(stored, made, entry);
  });
}

type Owned = Pick<MadeSchedule, 'owner' | 'role' | 'seesOwn'>;

/** Somebody of a sign-in provider has rights for a session, and a schedule outlives it. */
async function assertLasting(ports: Ports<'settings' | 'tokens'>, owned: Owned): Promise<void> {
  const tokens = createTokens(ports.settings.tokens, ports.tokens);
  if ((await ownerNow(tokens, owned)) !== null) return;
  const detail =
    'A schedule acts by a token, which can be revoked: make it with a token, not as a person of the sign-in provider.';
  throw new Refusal('forbidden', detail, { role: owned.role });
}

async function assertOwned(
  ports: Ports<'schedules' | 'settings' | 'tokens'>,
  scheduleId: string,
): Promise<void> {
  const found = await ports.schedules.get(scheduleId, 0);
  if (found === null) throw noSuchSchedule(scheduleId);
  if (found.paused?.reason === 'goal_over') {
    throw new Refusal('invalid_transition', 'The goal that it wakes is over: make another one.');
  }
  const tokens = createTokens(ports.settings.tokens, ports.tokens);
  if ((await ownerNow(tokens, { ...found, seesOwn: false })) !== null) return;
  const detail = `The token of ${found.owner} has ended: make the schedule anew with another one.`;
  throw new Refusal('invalid_transition', detail);
}
