import { z } from 'zod';
import { askedModelCallSchema, modelCallSchema } from '../../../schema/model-call.ts';
import { chargedStepSchema } from '../../../schema/usage.ts';
import { shownRequest } from '../../context/shown-request.ts';
import type { MessageContent } from '../../contract/conversation.ts';
import { Refusal } from '../../contract/failures.ts';
import { asProviderParts } from '../../model/provider-parts.ts';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const list = operation('listModelCalls', {
  tag: 'record',
  summary: 'The model calls of one turn, in their order',
  answer: z.strictObject({ items: z.array(modelCallSchema) }),
});

const one = operation('getModelCall', {
  tag: 'record',
  summary: 'One model call with what it was asked and what it answered',
  answer: askedModelCallSchema,
});

const number = z.coerce.number().int().min(1).max(2_147_483_647);
const turnParams = goalParams.extend({ turn: number });
const callParams = turnParams.extend({
  kind: chargedStepSchema.shape.kind,
  step: number,
  attempt: number,
});

export const modelCallRoutes: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/turns/:turn/model-calls',
    config: list.config,
    schema: { ...list.describe, params: turnParams },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      return { items: await ports.reader.modelCalls(goalId, request.params.turn) };
    },
  });
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/turns/:turn/model-calls/:kind/:step/:attempt',
    config: one.config,
    schema: { ...one.describe, params: callParams },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { turn, kind, step, attempt } = request.params;
      const kept = await ports.reader.modelCall(goalId, { turn, kind, step, attempt });
      if (kept === null) {
        const named = (await ports.reader.modelCalls(goalId, turn)).map(
          (call) => `${call.kind}.${call.step}.${call.attempt}`,
        );
        const has = named.length === 0 ? 'none' : shortList(named);
        const sentence = `Turn ${turn} of ${goalId} has no model call ${kind}.${step}.${attempt}; it has ${has}.`;
        throw new Refusal('not_found', sentence, { goalId, turn, field: 'step' });
      }
      const { call, request: asked, answer } = kept;
      return {
        call,
        request: asked && shownRequest(asked),
        answer: answer && shownAnswer(answer),
      };
    },
  });
};

const MOST_NAMED = 20;

const shortList = (names: readonly string[]): string => {
  const more = names.length - MOST_NAMED;
  const shown = names.slice(0, MOST_NAMED).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
};

const shownAnswer = ({ text, token, calls = [], providerParts }: MessageContent) => ({
  text: token === undefined ? text : `${text}\n${token}`,
  reasoning: asProviderParts(providerParts)
    .reasoning.map(({ text }) => text)
    .join('\n'),
  calls: calls.map(({ callId, tool, input }) => ({ callId, tool, input })),
});
