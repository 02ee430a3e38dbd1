import { z } from 'zod';
import { notificationSchema } from '../../../schema/notify.ts';
import type { Route } from '../application.ts';
import { goalParams, operation, pageOf, pageQuery } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const { config, describe } = operation('listNotifications', {
  tag: 'record',
  summary: 'What was told to webhooks, newest first, and what became of each delivery',
  answer: pageOf(notificationSchema),
});

const querystring = z.strictObject(pageQuery);

export const listNotificationsRoute: Route<'notifications' | 'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/notifications',
    config,
    schema: { ...describe, params: goalParams, querystring },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { cursor, limit } = request.query;
      return ports.notifications.list(goalId, cursor === undefined ? { limit } : { cursor, limit });
    },
  });
};
