import { z } from 'zod';
import { wordSchema } from '../../../schema/text.ts';
import { Refusal } from '../../contract/failures.ts';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const { config, describe } = operation('resendNotification', {
  tag: 'record',
  summary: 'Send a notification to its webhooks once more, under the same id',
  answer: z.object({ notificationId: z.string() }),
});

const params = goalParams.extend({ notificationId: wordSchema(120) });

export const resendNotificationRoute: Route<'notifications' | 'reader'> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/notifications/:notificationId/resend',
    config,
    schema: { ...describe, params },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { notificationId } = request.params;
      if (await ports.notifications.resend(goalId, notificationId)) return { notificationId };
      throw new Refusal('not_found', `The goal has no notification ${notificationId}.`, {
        goalId,
        notificationId,
      });
    },
  });
};
