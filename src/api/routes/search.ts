import { z } from 'zod';
import { callSeq, callSubject } from '../../../schema/call-subject.ts';
import { type Found, foundSchema } from '../../../schema/search.ts';
import { wordSchema } from '../../../schema/text.ts';
import { textsOfTurn, wordsAround } from '../../../schema/words-around.ts';
import { sightOf } from '../../policy/sight.ts';
import { type Ports, principalOf, type Route } from '../application.ts';
import { operation, pageOf } from '../contract.ts';

const { config, describe } = operation('search', {
  tag: 'goals',
  summary:
    'Goals whose turns, messages or ledger hold these words, last changed first, with where. It looks for about a second; `nextCursor` looks on from there, also where nothing was found yet',
  answer: pageOf(foundSchema),
});

const querystring = z.strictObject({
  q: wordSchema(200).min(2),
  cursor: wordSchema(200).optional(),
  limit: z.coerce.number().int().min(1).max(50).default(10),
});

/** Turns, and calls, of each goal. */
const OF_EACH = 3;

export const searchRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/search',
    config,
    schema: { ...describe, querystring },
    handler: async (request) => {
      const { cursor, ...asked } = request.query;
      const sight = sightOf(principalOf(request));
      const page = { ...asked, sight, ...(cursor === undefined ? {} : { cursor }) };
      const { items: goalIds, nextCursor } = await ports.reader.goalsHolding(page);
      return { items: await foundIn(ports, goalIds, { sight, q: asked.q }), nextCursor };
    },
  });
};

/** In the order of the ids. */
async function foundIn(
  { reader }: Ports<'reader'>,
  goalIds: readonly string[],
  { sight, q }: { readonly sight: ReturnType<typeof sightOf>; readonly q: string },
): Promise<Found[]> {
  if (goalIds.length === 0) return [];
  const limit = goalIds.length;
  const goals = await reader.goals({ sight, goalIds, sort: 'updated', archived: false, limit });
  const known = new Map(goals.items.map((goal) => [goal.goalId, goal]));
  const found: Found[] = [];
  for (const goal of goalIds.flatMap((goalId) => known.get(goalId) ?? [])) {
    const page = { q, limit: OF_EACH };
    const [turns, calls] = await Promise.all([
      reader.turns(goal.goalId, page),
      reader.calls(goal.goalId, page),
    ]);
    if (turns.items.length + calls.items.length === 0) continue;
    found.push({
      goal,
      turns: turns.items.map((turn) => ({
        turn: turn.turn,
        text: wordsAround(textsOfTurn(turn), q),
      })),
      calls: calls.items.map((call) => ({
        ...{ seq: callSeq(call), tool: call.tool, text: callSubject(call) },
      })),
    });
  }
  return found;
}
