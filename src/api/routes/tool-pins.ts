import { z } from 'zod';
import { acceptToolSchema, resetToolsSchema, toolPinSchema } from '../../../schema/tool-pin.ts';
import { Refusal } from '../../contract/failures.ts';
import { seesWorkspace, sightOf } from '../../policy/sight.ts';
import { principalOf, type Route } from '../application.ts';
import { operation, pageOf } from '../contract.ts';
import { entryOf } from '../security-entry.ts';

const described = {
  list: operation('listToolPins', {
    tag: 'service',
    summary: "MCP servers' tools as goals of each workspace see them, and what changed since",
    answer: pageOf(toolPinSchema),
  }),
  accept: operation('acceptTool', {
    tag: 'service',
    summary: 'Let goals of a workspace see a tool as its MCP server describes it now',
    answer: toolPinSchema,
  }),
  reset: operation('resetToolPins', {
    tag: 'service',
    summary: 'Trust anew, at the next use, what an MCP server says of its tools',
    answer: z.strictObject({ removed: z.int() }),
  }),
};

export const toolPinRoutes: Route<'toolPins'> = (application, { toolPins }) => {
  application.route({
    method: 'GET',
    url: '/v1/tool-pins',
    config: described.list.config,
    schema: described.list.describe,
    handler: async (request) => {
      const sight = sightOf(principalOf(request));
      const items = await toolPins.list();
      const seen = items.filter(({ workspace }) => seesWorkspace(sight, workspace));
      return { items: seen, nextCursor: null };
    },
  });
  application.route({
    method: 'POST',
    url: '/v1/tool-pins/accept',
    config: described.accept.config,
    schema: { ...described.accept.describe, body: acceptToolSchema },
    handler: async (request) => {
      const { workspace, tool, hash } = request.body;
      const isSeen = seesWorkspace(sightOf(principalOf(request)), workspace);
      const entry = entryOf(request, 'tool_accepted', { subject: tool, data: { workspace, hash } });
      const pin = isSeen ? await toolPins.accept(request.body, entry) : null;
      if (pin !== null) return pin;
      throw new Refusal('not_found', `No such definition of ${tool} waits in ${workspace}.`);
    },
  });
  application.route({
    method: 'POST',
    url: '/v1/tool-pins/reset',
    config: described.reset.config,
    schema: { ...described.reset.describe, body: resetToolsSchema },
    handler: async (request) => {
      const { workspace, server } = request.body;
      const isSeen = seesWorkspace(sightOf(principalOf(request)), workspace);
      const entry = entryOf(request, 'tool_pins_reset', { subject: server, data: { workspace } });
      const removed = isSeen ? await toolPins.reset(workspace, server, entry) : 0;
      if (removed > 0) return { removed };
      throw new Refusal('not_found', `No tool of ${server} is pinned in ${workspace}.`);
    },
  });
};
