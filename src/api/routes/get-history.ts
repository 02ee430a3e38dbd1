import { z } from 'zod';
import { historyPointSchema, historySchema } from '../../../schema/history.ts';
import { momentSchema } from '../../../schema/moment.ts';
import { wordSchema } from '../../../schema/text.ts';
import { Refusal } from '../../contract/failures.ts';
import type { PointPlace } from '../../contract/reads.ts';
import type { Ports, Route } from '../application.ts';
import { newestTurn, turnsText } from '../assert-turn.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { type HistoryNeeds, readHistory } from '../history.ts';

const list = operation('getHistory', {
  tag: 'record',
  summary:
    "Turns with the journal's steps and, as long as Temporal keeps them, its events; newest first",
  answer: historySchema,
});

const point = operation('getHistoryPoint', {
  tag: 'record',
  summary: 'What was true behind an event, at the end of a turn or at a time; from the record',
  answer: historyPointSchema,
});

const number = z.coerce.number().int().max(2_147_483_647);

const listQuery = z.strictObject({
  cursor: wordSchema(200).optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
  before: number.min(1).describe('Only turns below this one').optional(),
  tasks: z
    .enum(['true', 'false'])
    .default('false')
    .describe("With Temporal's workflow tasks, which say little"),
});

const pointQuery = z.strictObject({
  seq: number.min(1).describe("Number of the record's event").optional(),
  turn: number.min(1).describe('The end of this turn; now, while it runs').optional(),
  at: momentSchema.optional(),
});

export const historyRoutes: Route<'reader' | HistoryNeeds> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/history',
    config: list.config,
    schema: { ...list.describe, params: goalParams, querystring: listQuery },
    handler: async (request) => {
      const goal = await existingGoal(ports.reader, request.params.goalId);
      const { cursor, limit, before, tasks } = request.query;
      return readHistory(ports, goal, { cursor, limit, before, hasTasks: tasks === 'true' });
    },
  });
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/history/point',
    config: point.config,
    schema: { ...point.describe, params: goalParams, querystring: pointQuery },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const place = placeOf(request.query, await ports.reader.newestEvent(goalId));
      const prunedTo = await ports.reader.eventsPrunedTo(goalId);
      if (prunedTo > 0) throw noLongerKept(goalId, prunedTo);
      const found = await ports.reader.point(goalId, place);
      if (found !== null) return found;
      throw await noSuchPlace(ports, goalId, place);
    },
  });
};

/** Says which places there are. */
async function noSuchPlace(
  ports: Ports<'reader'>,
  goalId: string,
  place: PointPlace,
): Promise<Refusal> {
  if ('turn' in place) {
    const newest = await newestTurn(ports, goalId);
    const why =
      place.turn >= 1 && place.turn <= newest
        ? `Turn ${place.turn} of ${goalId} has not ended`
        : `${goalId} has no turn ${place.turn}: it ${turnsText(newest)}`;
    return new Refusal('not_found', `${why}.`, { ...place, field: 'turn', newest });
  }
  const { createdAt } = await existingGoal(ports.reader, goalId);
  const why = `${goalId} has no such place in its history: it begins at ${createdAt}, with event 1.`;
  return new Refusal('not_found', why, { ...place, field: 'seq' in place ? 'seq' : 'at' });
}

/** A state is folded from all events before it. */
const noLongerKept = (goalId: string, prunedTo: number): Refusal =>
  new Refusal(
    'no_longer_kept',
    `Events of ${goalId} up to ${prunedTo} were removed, as the service's retention says. Its turns, decisions, messages and ledger are kept.`,
    { goalId, prunedTo },
  );

/** A query that names no place means now. */
function placeOf(query: z.infer<typeof pointQuery>, newest: number): PointPlace {
  const { seq, turn, at } = query;
  if ([seq, turn, at].filter((part) => part !== undefined).length > 1) {
    throw new Refusal('invalid_request', 'Name one of seq, turn and at.', { field: 'seq' });
  }
  if (turn !== undefined) return { turn };
  if (at !== undefined) return { at };
  return { seq: seq ?? newest };
}
