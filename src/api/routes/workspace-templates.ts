import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Caller } from '../../../schema/role.ts';
import { wordSchema } from '../../../schema/text.ts';
import {
  filledTemplateSchema,
  fillTemplateSchema,
  workspaceTemplatesSchema,
} from '../../../schema/workspace-template.ts';
import { Refusal } from '../../contract/failures.ts';
import type { TemplatedWorkspace } from '../../contract/templates.ts';
import { type KeptTemplate, templateLabel } from '../../contract/tokens.ts';
import { startOfTemplate } from '../../intake/terms/start-of-template.ts';
import { type Ports, principalOf, type Route } from '../application.ts';
import { mutation, operation } from '../contract.ts';
import { orRefuse } from '../intake-facts.ts';
import { seenWorkspaces } from '../seen-workspaces.ts';
import { type StartNeeds, startGoal } from '../start-goal.ts';

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

const start = mutation('startFromTemplate', {
  tag: 'goals',
  summary: 'Start the goal that a template is with these values',
  status: 201,
});

const workspaceParams = z.strictObject({ workspace: wordSchema(200) });
const templateParams = workspaceParams.extend({ template: wordSchema(60) });

type Needs = StartNeeds | 'templates' | 'tokens';

export const workspaceTemplateRoutes: Route<Needs> = (application, ports) => {
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
  application.route({
    method: 'POST',
    url: '/v1/workspaces/:workspace/templates/:template/goals',
    config: start.config,
    schema: { ...start.describe, params: templateParams, body: fillTemplateSchema },
    handler: async (request, reply) => {
      const { workspace: name, template } = request.params;
      const workspace = await seenWorkspace(ports, request, name);
      return startGoal(ports, { request, reply }, async () => {
        const chosen = await chosenTemplate(ports, principalOf(request), { workspace, template });
        return orRefuse(startOfTemplate(chosen, request.body.values));
      });
    },
  });
};

/**
 * A token that is bound to templates has them as they were when it was made; everybody else's is in
 * the workspace's file.
 * @throws Refusal
 */
async function chosenTemplate(
  { templates, tokens }: Ports<'templates' | 'tokens'>,
  caller: Caller,
  { workspace, template }: { workspace: TemplatedWorkspace; template: string },
): Promise<KeptTemplate> {
  if (caller.templates === null) return templates.keep(workspace, template);
  const label = templateLabel({ workspace: workspace.name, name: template });
  const kept = await tokens.template(caller.name, label);
  if (kept !== null) return kept;
  const detail = `This token is not bound to the template ${label}.`;
  throw new Refusal('forbidden', detail, { known: caller.templates });
}

async function seenWorkspace(ports: Ports<'reader'>, request: FastifyRequest, name: string) {
  const seen = await seenWorkspaces(ports, principalOf(request));
  const found = seen.find((one) => one.name === name);
  if (found !== undefined) return found;
  const known = seen.map((one) => one.name);
  throw new Refusal('not_found', `There is no workspace ${name}`, { known });
}
