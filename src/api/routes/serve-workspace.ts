import { z } from 'zod';
import { workspacePathSchema } from '../../../schema/goal.ts';
import { Refusal } from '../../contract/failures.ts';
import { principalOf, type Route } from '../application.ts';
import { operation } from '../contract.ts';
import { placesOf } from '../seen-workspaces.ts';

const { config, describe } = operation('serveWorkspace', {
  tag: 'service',
  summary: 'Give a folder of this machine a name that goals can say; one that has a name keeps it',
  answer: z.object({ name: z.string() }),
});

export const serveWorkspaceRoute: Route<'reader' | 'workspaces'> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/workspaces',
    config,
    schema: { ...describe, body: z.strictObject({ path: workspacePathSchema }) },
    handler: async (request) => {
      const { path } = request.body;
      return await inField(async () => {
        const { servedAt } = await placesOf(ports, principalOf(request), { path });
        const { name } = servedAt ?? (await ports.workspaces.register(path));
        return { name };
      });
    },
  });
};

/** A goal's start names its field otherwise. */
async function inField<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'unknown_workspace') throw error;
    throw new Refusal(error.code, error.message, { ...error.data, field: 'path' });
  }
}
