import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Caller } from '../../../schema/role.ts';
import { wordSchema } from '../../../schema/text.ts';
import {
  madeTriggerSchema,
  type NewTrigger,
  newTriggerSchema,
  type Trigger,
  triggerSchema,
  triggerTestSchema,
  triggerVerdictSchema,
} from '../../../schema/trigger.ts';
import { Refusal } from '../../contract/failures.ts';
import { eventOf } from '../../intake/triggers/event-of.ts';
import { judgeDelivery } from '../../intake/triggers/judge-delivery.ts';
import { triggerIssue } from '../../intake/triggers/trigger-issue.ts';
import { seesAll, sightOf } from '../../policy/sight.ts';
import { type Application, type Ports, principalOf, type Route } from '../application.ts';
import { operation, pageOf } from '../contract.ts';
import { refuse } from '../intake-facts.ts';
import { entryOf } from '../security-entry.ts';

const described = {
  create: operation('createTrigger', {
    tag: 'triggers',
    summary: 'Make an inbound trigger; its secret is shown this once',
    answer: madeTriggerSchema,
    status: 201,
  }),
  list: operation('listTriggers', {
    tag: 'triggers',
    summary: 'Triggers of the caller; an admin sees all',
    answer: pageOf(triggerSchema),
  }),
  get: operation('getTrigger', {
    tag: 'triggers',
    summary: 'A trigger with its newest deliveries and what came of them',
    answer: triggerSchema,
  }),
  test: operation('testTrigger', {
    tag: 'triggers',
    summary: 'What a payload would lead to; nothing is done',
    answer: triggerVerdictSchema,
  }),
  pause: operation('pauseTrigger', {
    tag: 'triggers',
    summary: 'Leave out what comes until it is resumed; what is pending waits',
    answer: triggerSchema,
  }),
  resume: operation('resumeTrigger', {
    tag: 'triggers',
    summary: 'Take deliveries again; those of the pause are not made up',
    answer: triggerSchema,
  }),
  remove: operation('deleteTrigger', {
    tag: 'triggers',
    summary: 'End a trigger at once, also what is pending of its deliveries',
    answer: triggerSchema,
  }),
};

const params = z.strictObject({ name: wordSchema(80) });

export const triggerRoutes: Route<'triggers'> = (application, ports) => {
  addCreate(application, ports);
  application.route({
    method: 'GET',
    url: '/v1/triggers',
    config: described.list.config,
    schema: described.list.describe,
    handler: async (request) => {
      const caller = principalOf(request);
      const items = (await ports.triggers.list()).filter((one) => mayManage(caller, one));
      return { items, nextCursor: null };
    },
  });
  application.route({
    method: 'GET',
    url: '/v1/triggers/:name',
    config: described.get.config,
    schema: { ...described.get.describe, params },
    handler: (request) => ownTrigger(ports, principalOf(request), request.params.name),
  });
  application.route({
    method: 'POST',
    url: '/v1/triggers/:name/test',
    config: described.test.config,
    schema: { ...described.test.describe, params, body: triggerTestSchema },
    handler: async (request) => {
      const trigger = await ownTrigger(ports, principalOf(request), request.params.name);
      const { payload, event } = request.body;
      const judged = judgeDelivery(trigger, {
        event: eventOf(event ?? null, payload),
        body: payload,
      });
      return judged.verdict === 'acts' ? { ...judged, text: 'nothing was done' } : judged;
    },
  });
  for (const act of ['pause', 'resume'] as const) {
    application.route({
      method: 'POST',
      url: `/v1/triggers/:name/${act}`,
      config: described[act].config,
      schema: { ...described[act].describe, params },
      handler: async (request) => {
        const caller = principalOf(request);
        const { triggerId, name } = await ownTrigger(ports, caller, request.params.name);
        const what = act === 'pause' ? 'trigger_paused' : 'trigger_resumed';
        const entry = entryOf(request, what, { subject: name });
        const by = act === 'pause' ? caller.name : null;
        const changed = await ports.triggers.pause(triggerId, by, entry);
        if (changed === null) throw noSuchTrigger(name);
        return changed;
      },
    });
  }
  application.route({
    method: 'DELETE',
    url: '/v1/triggers/:name',
    config: described.remove.config,
    schema: { ...described.remove.describe, params },
    handler: async (request) => {
      const trigger = await ownTrigger(ports, principalOf(request), request.params.name);
      const entry = entryOf(request, 'trigger_deleted', { subject: trigger.name });
      if (!(await ports.triggers.remove(trigger.triggerId, entry))) {
        throw noSuchTrigger(trigger.name);
      }
      return trigger;
    },
  });
};

function addCreate(application: Application, ports: Ports<'triggers'>): void {
  application.route({
    method: 'POST',
    url: '/v1/triggers',
    config: described.create.config,
    schema: { ...described.create.describe, body: newTriggerSchema },
    handler: async (request, reply) => {
      const owner = principalOf(request);
      // It acts as long as a token does; a browser's session, or a person's of a provider, ends.
      const isOfToken = request.sessionEndsAt === null && (await application.ownerOf(owner.name));
      if (!isOfToken) {
        throw new Refusal('forbidden', 'Only a token makes triggers.', { role: owner.role });
      }
      refuse(triggerIssue(request.body));
      const { secret = secretFor(request.body.kind), ...asked } = request.body;
      const terms = {
        ...asked,
        triggerId: `trg-${randomBytes(16).toString('hex')}`,
        owner: owner.name,
        ownerRole: owner.role,
      };
      const { name, kind, action } = asked;
      const told = { subject: name, data: { kind, action: action.kind } };
      const made = await ports.triggers.add(terms, secret, entryOf(request, 'trigger_made', told));
      return reply.code(201).send({ ...made, secret });
    },
  });
}

/** Standard Webhooks' notation says that the rest is base64 of the key. */
function secretFor(kind: NewTrigger['kind']): string {
  const bytes = randomBytes(32);
  return kind === 'standard' ? `whsec_${bytes.toString('base64')}` : bytes.toString('base64url');
}

async function ownTrigger(
  { triggers }: Ports<'triggers'>,
  caller: Caller,
  name: string,
): Promise<Trigger> {
  const trigger = await triggers.find(name);
  if (trigger === null || !mayManage(caller, trigger)) throw noSuchTrigger(name);
  return trigger;
}

const mayManage = (caller: Caller, { owner }: Trigger): boolean =>
  caller.name === owner || (caller.role === 'admin' && seesAll(sightOf(caller)));

const noSuchTrigger = (name: string): Refusal =>
  new Refusal('not_found', `There is no trigger ${name}, or it is not yours.`, { name });
