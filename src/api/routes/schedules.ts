import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  dueTimesQuerySchema,
  dueTimesSchema,
  type NewSchedule,
  newScheduleSchema,
  type ScheduleChange,
  scheduleChangeSchema,
  scheduleSchema,
} from '../../../schema/schedule.ts';
import type { SecurityEntry } from '../../../schema/security-log.ts';
import { Refusal } from '../../contract/failures.ts';
import type { StoredRequest } from '../../contract/intake.ts';
import type { KeptSchedule, MadeSchedule, ScheduleAct } from '../../contract/schedules.ts';
import { shownUrl } from '../../net/shown-url.ts';
import { sees, sightOf } from '../../policy/sight.ts';
import { nextDue, type Timed } from '../../record/schedules/due-times.ts';
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
  change: keyed('changeSchedule', {
    ...{ tag, answer },
    summary: 'Say anew when, how or what; it then acts with the rights of whoever changed it',
  }),
  dueTimes: operation('dueTimes', {
    ...{ tag, answer: dueTimesSchema },
    summary: 'When a schedule would come next; nothing is made',
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
const ACTS: readonly {
  readonly act: ScheduleAct;
  readonly operationId: OperationId;
  readonly what: SecurityEntry['what'];
  readonly summary: string;
}[] = [
  {
    ...{ act: 'pause', operationId: 'pauseSchedule', what: 'schedule_paused' },
    summary: 'Nothing comes due until it is resumed; what runs goes on',
  },
  {
    ...{ act: 'resume', operationId: 'resumeSchedule', what: 'schedule_resumed' },
    summary: 'Go on from now; due times of the pause are not made up',
  },
  {
    ...{ act: 'run', operationId: 'runSchedule', what: 'schedule_run' },
    summary: 'Once now, beside the clock, by the same overlap policy',
  },
  {
    ...{ act: 'delete', operationId: 'deleteSchedule', what: 'schedule_deleted' },
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
    method: 'POST',
    url: '/v1/schedules/due-times',
    config: described.dueTimes.config,
    schema: { ...described.dueTimes.describe, body: dueTimesQuerySchema },
    handler: async ({ body: { when, madeAt, count } }) => {
      const now = new Date().toISOString();
      return { items: firstTimes({ when, madeAt: madeAt ?? now }, now, count) };
    },
  });
  application.route({
    method: 'PATCH',
    url: '/v1/schedules/:scheduleId',
    config: described.change.config,
    schema: { ...described.change.describe, params: scheduleParams, body: scheduleChangeSchema },
    handler: (request, reply) =>
      change(ports, { request, reply }, request.params.scheduleId, request.body),
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
  for (const { act, operationId, what, summary } of ACTS) {
    const { config, describe } = keyed(operationId, { tag, answer, summary });
    application.route({
      method: act === 'delete' ? 'DELETE' : 'POST',
      url: `/v1/schedules/:scheduleId${act === 'delete' ? '' : `/${act}`}`,
      config,
      schema: { ...describe, params: scheduleParams },
      handler: (request, reply) => {
        const { scheduleId } = request.params;
        return once(ports, { request, reply }, async (stored) => {
          if (act === 'resume') await assertOwned(ports, scheduleId);
          const entry = entryOf(request, what, { subject: scheduleId });
          await ports.schedules.change(stored, scheduleId, act, entry);
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

function firstTimes(timed: Timed, after: string, count: number): string[] {
  const found: string[] = [];
  for (let at = nextDue(timed, after); at !== null && found.length < count; ) {
    found.push(at);
    at = nextDue(timed, at);
  }
  return found;
}

/** Judged as if whoever changes it had made it so: it acts by their rights from then on. */
async function change(
  ports: Ports<Needs>,
  exchange: Exchange,
  scheduleId: string,
  asked: ScheduleChange,
): Promise<unknown> {
  const { request } = exchange;
  const caller = principalOf(request);
  return once(ports, exchange, async (stored) => {
    const kept = await ports.schedules.kept(scheduleId);
    if (kept === null) throw noSuchSchedule(scheduleId);
    const owned = { owner: caller.name, role: caller.role, seesOwn: caller.seesOwn === true };
    await assertLasting(ports, owned);
    const judged = await judgeAction(ports, caller, actionAfter(kept, asked));
    const made: MadeSchedule = { ...kept.made, ...fieldsOf(asked, kept), ...owned, ...judged };
    const data = { name: made.name, workspace: made.workspace };
    const entry = entryOf(request, 'schedule_changed', { subject: scheduleId, data });
    const { expectedRevision = kept.revision } = asked;
    await ports.schedules.amend(stored, made, [kept.revision, expectedRevision], entry);
  });
}

const fieldsOf = (asked: ScheduleChange, { made }: KeptSchedule) => ({
  name: asked.name ?? made.name,
  when: asked.when ?? made.when,
  overlap: asked.overlap ?? made.overlap,
  catchUp: asked.catchUp ?? made.catchUp,
  catchUpSeconds: asked.catchUpSeconds ?? made.catchUpSeconds,
});

/** A webhook that is given as answers show it is the one that was kept. */
function actionAfter(
  { made: { action } }: KeptSchedule,
  { start, wake }: ScheduleChange,
): Pick<NewSchedule, 'start' | 'wake'> {
  if (wake !== undefined) return { wake };
  if (start === undefined) return action;
  const known = new Map((action.start?.notify ?? []).map((one) => [shownUrl(one.url), one.url]));
  const notify = start.notify?.map((one) => ({ ...one, url: known.get(one.url) ?? one.url }));
  return { start: { ...start, ...(notify === undefined ? {} : { notify }) } };
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
