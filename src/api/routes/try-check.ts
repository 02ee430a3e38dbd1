import type { Criterion } from '../../../schema/criteria.ts';
import { checkResultSchema, tryCheckSchema } from '../../../schema/estimate.ts';
import type { WorkspaceInput } from '../../../schema/goal.ts';
import type { Caller } from '../../../schema/role.ts';
import { Refusal } from '../../contract/failures.ts';
import { criterionIssue } from '../../intake/criterion-issue.ts';
import { resolveWorkspace } from '../../intake/workspace.ts';
import { loadShellParser } from '../../shell/read/parse.ts';
import { type Ports, principalOf, type Route } from '../application.ts';
import { operation } from '../contract.ts';
import { orRefuse, refuse } from '../intake-facts.ts';
import { assertKept } from '../refuse-commands.ts';
import { placesOf } from '../seen-workspaces.ts';

const { config, describe } = operation('tryCheck', {
  tag: 'service',
  summary: 'Look at one criterion now, as a baseline would; belongs to no goal',
  answer: checkResultSchema,
});

/** A check may run for minutes on a machine that has other work. */
const attempts = { max: 20, timeWindow: '1 minute' };
const AT_ONCE = 4;

export const tryCheckRoute: Route<'checks' | 'reader' | 'workspaces'> = (application, ports) => {
  let running = 0;
  application.route({
    method: 'POST',
    url: '/v1/checks',
    config: { ...config, rateLimit: attempts },
    schema: { ...describe, body: tryCheckSchema },
    handler: async (request) => {
      const { workspace, criterion, policy } = request.body;
      assertTryable(criterion);
      refuse(criterionIssue(criterion, 'criterion', await loadShellParser()));
      const principal = principalOf(request);
      const name = await servedWorkspace(ports, principal, workspace);
      const host = await servedHost(ports, name);
      if (running >= AT_ONCE) throw new Refusal('rate_limited', `${AT_ONCE} checks run already.`);
      running += 1;
      try {
        const network = policy?.sandbox?.network ?? 'none';
        if (typeof network === 'object') await assertKept(ports.reader, host);
        return await ports.checks.try({ principal, workspace: name, host, criterion, network });
      } finally {
        running -= 1;
      }
    },
  });
};

/** The answer goes through the workflow's history, which has to stay small. */
const MOST_CHARACTERS = 6000;

function assertTryable(criterion: Criterion): void {
  if (criterion.kind === 'sealed') {
    throw new Refusal('unsupported', 'What is sealed runs in a proof only.', {
      field: 'criterion.kind',
    });
  }
  if (criterion.kind === 'review' || criterion.kind === 'approval') {
    const why =
      'Nothing can be said of it before there is work: try a command, file, git or diagnostics.';
    throw new Refusal('unsupported', why, { field: 'criterion.kind' });
  }
  if (JSON.stringify(criterion).length <= MOST_CHARACTERS) return;
  throw new Refusal('invalid_request', 'It names too many paths to be tried.', {
    field: 'criterion',
  });
}

/** A folder that is not served yet gets its name here. */
async function servedWorkspace(
  ports: Ports<'reader' | 'workspaces'>,
  principal: Caller,
  input: WorkspaceInput | undefined,
): Promise<string> {
  const places = await placesOf(ports, principal, input);
  const chosen = orRefuse(resolveWorkspace({ principal, ...places }, input));
  if (chosen.kind === 'served') return chosen.name;
  return (await ports.workspaces.register(chosen.path, chosen.name ?? undefined)).name;
}

/** A host without a live worker is refused at once. */
async function servedHost({ reader }: Ports<'reader'>, name: string): Promise<string> {
  const workspace = (await reader.workspaces()).find((one) => one.name === name);
  const workers = await reader.workers();
  const host = workspace?.host ?? '';
  if (workers.some((worker) => worker.host === host && worker.state === 'up')) return host;
  throw new Refusal('worker_unavailable', `No worker serves ${name} now.`, { field: 'workspace' });
}
