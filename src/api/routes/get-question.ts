import { z } from 'zod';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const question = z.object({
  questionId: z.string(),
  text: z.string(),
  options: z.array(z.string()),
  default: z.string().nullable(),
  until: z.string().nullable(),
});

/** The newest one that was answered; where nobody did in time, by the clock. */
const answered = z.object({ questionId: z.string(), by: z.string(), at: z.string() });

const { config, describe } = operation('getQuestion', {
  tag: 'goals',
  summary: 'The open question, if there is one, and who answered the one before',
  answer: z.object({ question: question.nullable(), answered: answered.nullable() }),
});

export const getQuestionRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/question',
    config,
    schema: { ...describe, params: goalParams },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const [question, answered] = await Promise.all([
        ports.reader.question(goalId),
        ports.reader.answered(goalId),
      ]);
      return { question, answered };
    },
  });
};
