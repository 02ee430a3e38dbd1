import { shownTodoListSchema } from '../../../schema/todo.ts';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const { config, describe } = operation('getTodos', {
  tag: 'record',
  summary: 'The canonical todo list, and what was written after an item was signed off',
  answer: shownTodoListSchema,
});

export const getTodosRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/todos',
    config,
    schema: { ...describe, params: goalParams },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      return ports.reader.todos(goalId);
    },
  });
};
