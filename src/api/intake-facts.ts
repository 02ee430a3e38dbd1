import { randomBytes } from 'node:crypto';
import type { Criterion } from '../../schema/criteria.ts';
import type { StartGoal } from '../../schema/goal.ts';
import type { Principal } from '../../schema/role.ts';
import { Refusal } from '../contract/failures.ts';
import type { IntakeFacts, ModelFacts } from '../intake/facts.ts';
import type { Issue, Resolved } from '../intake/issue.ts';
import { loadShellParser } from '../shell/read/parse.ts';
import type { ApiPorts, Ports } from './application.ts';
import { readSealedFacts, type SealedNeeds } from './sealed-facts.ts';

export type StandingNeeds = 'models' | 'settings' | 'mask' | 'addresses' | SealedNeeds;
export type IntakeNeeds = StandingNeeds | 'sealTarget' | 'firstCallTokens';

/** Reads all facts that a start is judged by. */
export async function readIntakeFacts(
  ports: Ports<IntakeNeeds>,
  principal: Principal,
  { replace, expectedGoalId, criteria }: Pick<StartGoal, 'replace' | 'expectedGoalId' | 'criteria'>,
): Promise<IntakeFacts> {
  const isReplaced = replace === true && typeof expectedGoalId === 'string';
  const [standing, workspaces, replaced] = await Promise.all([
    readStandingFacts(ports, criteria),
    ports.reader.workspaces(),
    isReplaced ? ports.reader.reach(expectedGoalId) : null,
  ]);
  return {
    ...standing,
    principal,
    workspaces,
    replaced,
    defaultModel: ports.settings.defaultModel,
    sealTarget: ports.sealTarget,
    firstCallTokens: ports.firstCallTokens,
    ids: {
      goal: `g-${randomBytes(8).toString('hex')}`,
      thread: `t-${randomBytes(8).toString('hex')}`,
    },
    now: new Date(),
  };
}

/** Reads the facts that hold for starts and amendments. */
export async function readStandingFacts(
  ports: Ports<StandingNeeds>,
  criteria?: readonly Criterion[],
) {
  const { models, settings, mask, addresses } = ports;
  return {
    sealed: await readSealedFacts(ports, criteria),
    models: modelFacts(models),
    parse: await loadShellParser(),
    mask,
    addresses,
    budgetMaximum: settings.budgetMaximum,
    hasApprover: settings.tokens.some(({ role }) => role === 'operator' || role === 'admin'),
  };
}

export const modelFacts = (models: ApiPorts['models']): ModelFacts => ({
  price: models.price.bind(models),
  issueOf(model) {
    try {
      models.assertUsable(model);
      return null;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { code: error.code, detail: error.message, data: error.data };
    }
  },
});

/** @throws Refusal */
export function refuse(issue: Issue | null): void {
  if (issue !== null) throw new Refusal(issue.code, issue.detail, { ...issue.data });
}

/** @throws Refusal */
export function orRefuse<Value>(outcome: Resolved<Value>): Value {
  if (outcome.issue === null) return outcome.value;
  throw new Refusal(outcome.issue.code, outcome.issue.detail, { ...outcome.issue.data });
}
