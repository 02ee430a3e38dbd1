import { callStopSchema } from '../../../schema/call-stop.ts';
import { wordSchema } from '../../../schema/text.ts';
import { principalOf, type Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const { config, describe } = operation('stopCall', {
  tag: 'goals',
  summary: 'End one running command; the turn goes on, and the model is told who ended it',
  answer: callStopSchema,
});

const params = goalParams.extend({ callId: wordSchema(80) });

export const stopCallRoute: Route<'reader' | 'callStops'> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/calls/:callId/stop',
    config,
    schema: { ...describe, params },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { name } = principalOf(request);
      // The row is the order: a repeat finds it.
      return await ports.callStops.stop(goalId, request.params.callId, name);
    },
  });
};
