import type { MadeToken, NewToken } from '../../schema/token.ts';
import type { CallOptions, Service } from './service.ts';
import { TOKENS } from './service.ts';

/** A start that any role may ask for. */
export const plainGoal = (workspace: object, more: object = {}) => ({
  objective: 'nobody: waits',
  criteria: [{ kind: 'file', path: 'never.txt', exists: true }],
  workspace,
  ...more,
});

/** Callers of every kind, and goals that belong to them. */
export interface Callers {
  /** An operator whose workspace is `till`. */
  readonly bounded: string;
  readonly boundedViewer: string;
  /** An agent that has started nothing. */
  readonly otherAgent: string;
  readonly revoked: string;
  /** The admin's, in `shop`, with a text that others may look for. */
  readonly goalId: string;
  /** The settings' agent's, in `shop`. */
  readonly agentGoalId: string;
  make(token: Partial<NewToken> & { name: string }, as?: string): Promise<MadeToken>;
  status(line: string, options?: CallOptions): Promise<number>;
}

export const HIDDEN_WORD = 'heliotrope';

export async function openCallers(service: Service): Promise<Callers> {
  const make: Callers['make'] = async (token, as = TOKENS.admin) => {
    const answer = await service.call('POST /v1/tokens', { as, body: { role: 'agent', ...token } });
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    return answer.body;
  };
  const ofTill = { role: 'operator' as const, workspaces: ['till'] };
  const bounded = await make({ name: 'bounded', ...ofTill });
  const boundedViewer = await make({ name: 'bounded-viewer', ...ofTill, role: 'viewer' });
  const otherAgent = await make({ name: 'other-agent' });
  const revoked = await make({ name: 'revoked', role: 'admin' });
  await service.call('DELETE /v1/tokens/revoked');
  const start = async (as: string, threadId: string) => {
    const body = plainGoal(
      { name: 'shop' },
      { threadId, objective: `nobody: looks for ${HIDDEN_WORD}` },
    );
    const answer = await service.call('POST /v1/goals', { as, body });
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    await service.call(`POST /v1/goals/${answer.body.goalId}/pause`, { body: {} });
    return answer.body.goalId as string;
  };
  return {
    ...{ bounded: bounded.token, boundedViewer: boundedViewer.token },
    ...{ otherAgent: otherAgent.token, revoked: revoked.token },
    goalId: await start(TOKENS.admin, 'thread-of-admin'),
    agentGoalId: await start(TOKENS.agent, 'thread-of-agent'),
    make,
    status: async (line, options) => (await service.call(line, options)).status,
  };
}
