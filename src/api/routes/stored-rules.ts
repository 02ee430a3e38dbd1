import { z } from 'zod';
import { storedRuleSchema } from '../../../schema/stored-rule.ts';
import { wordSchema } from '../../../schema/text.ts';
import { Refusal } from '../../contract/failures.ts';
import { seesWorkspace, sightOf } from '../../policy/sight.ts';
import { principalOf, type Route } from '../application.ts';
import { operation, pageOf } from '../contract.ts';
import { entryOf } from '../security-entry.ts';

const described = {
  list: operation('listRules', {
    tag: 'approvals',
    summary: 'What people let run for good, by workspace, and what of it was revoked',
    answer: pageOf(storedRuleSchema),
  }),
  revoke: operation('revokeRule', {
    tag: 'approvals',
    summary: 'Ask about such calls again, from the next one on',
    answer: storedRuleSchema,
  }),
};

const query = z.strictObject({ workspace: wordSchema(120).optional() });
const params = z.strictObject({ ruleId: wordSchema(160) });

export const storedRuleRoutes: Route<'storedRules'> = (application, { storedRules }) => {
  application.route({
    method: 'GET',
    url: '/v1/rules',
    config: described.list.config,
    schema: { ...described.list.describe, querystring: query },
    handler: async (request) => {
      const sight = sightOf(principalOf(request));
      const { workspace: asked } = request.query;
      const items = (await storedRules.list()).filter(
        ({ workspace }) =>
          seesWorkspace(sight, workspace) && (asked === undefined || workspace === asked),
      );
      return { items, nextCursor: null };
    },
  });
  application.route({
    method: 'DELETE',
    url: '/v1/rules/:ruleId',
    config: described.revoke.config,
    schema: { ...described.revoke.describe, params },
    handler: async (request) => {
      const caller = principalOf(request);
      const { ruleId } = request.params;
      const known = (await storedRules.list()).find((rule) => rule.ruleId === ruleId);
      if (known === undefined || !seesWorkspace(sightOf(caller), known.workspace)) {
        throw noSuchRule(ruleId);
      }
      const { workspace, covers } = known;
      const data = { workspace, covers };
      const entry = entryOf(request, 'rule_revoked', { subject: ruleId, data });
      const rule = await storedRules.revoke(ruleId, caller.name, entry);
      if (rule === null) throw noSuchRule(ruleId);
      return rule;
    },
  });
};

const noSuchRule = (ruleId: string): Refusal =>
  new Refusal('not_found', `There is no rule ${ruleId}: see goalkeeper rules list.`, { ruleId });
