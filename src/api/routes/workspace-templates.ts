import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { wordSchema } from '../../../schema/text.ts';
import {
  filledTemplateSchema,
  fillTemplateSchema,
  workspaceTemplatesSchema,
} from '../../../schema/workspace-template.ts';
import { Refusal } from '../../contract/failures.ts';
import { type Ports, principalOf, type Route } from '../application.ts';
import { operation } from '../contract.ts';
import { seenWorkspaces } from '../seen-workspaces.ts';

const tag = 'service';

const list = operation('listTemplates', {
  tag,
  summary: "Templates of the file at a workspace's root, from which goals start",
  answer: workspaceTemplatesSchema,
});

const fill = operation('fillTemplate', {
  tag,
  summary: 'The start that a template is with these values; nothing is started',
  answer: filledTemplateSchema,
});

const workspaceParams = z.strictObject({ workspace: wordSchema(200) });
const templateParams = workspaceParams.extend({ template: wordSchema(60) });

export const workspaceTemplateRoutes: Route<'reader' | 'templates'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/workspaces/:workspace/templates',
    config: list.config,
    schema: { ...list.describe, params: workspaceParams },
    handler: async (request) =>
      ports.templates.list(await seenWorkspace(ports, request, request.params.workspace)),
  });
  application.route({
    method: 'POST',
    url: '/v1/workspaces/:workspace/templates/:template',
    config: fill.config,
    schema: { ...fill.describe, params: templateParams, body: fillTemplateSchema },
    handler: async (request) => {
      const { workspace, template } = request.params;
      const found = await seenWorkspace(ports, request, workspace);
      return { start: await ports.templates.fill(found, template, request.body.values) };
    },
  });
};

async function seenWorkspace(ports: Ports<'reader'>, request: FastifyRequest, name: string) {
  const seen = await seenWorkspaces(ports, principalOf(request));
  const found = seen.find((one) => one.name === name);
  if (found !== undefined) return found;
  const known = seen.map((one) => one.name);
  throw new Refusal('not_found', `There is no workspace ${name}`, { known });
}
