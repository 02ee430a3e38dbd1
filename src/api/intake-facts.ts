import { randomBytes } from 'node:crypto';
import type { StartGoal } from '../../schema/goal.ts';
import type { Caller } from '../../schema/role.ts';
import { Refusal } from '../contract/failures.ts';
import type { IntakeFacts, ModelFacts } from '../intake/facts.ts';
import type { Issue, Resolved } from '../intake/issue.ts';
import { sees, sightOf } from '../policy/sight.ts';
import { loadShellParser } from '../shell/read/parse.ts';
import type { ApiPorts, Ports } from './application.ts';
import { isRoleHeld } from './held-roles.ts';
import { namedAttachments } from './named-attachments.ts';
import { type NamedSealed, readSealedFacts, type SealedNeeds } from './sealed-facts.ts';
import { placesOf } from './seen-workspaces.ts';

export type StandingNeeds = 'models' | 'settings' | 'tokens' | 'mask' | 'addresses' | SealedNeeds;
export type IntakeNeeds =
  | StandingNeeds
  | 'sealTarget'
  | 'firstCallTokens'
  | 'workspaces'
  | 'attachments';

/** Who may decide in a person's name. */
const PERSONS = ['operator', 'admin'] as const;

type Asked = Pick<
  StartGoal,
  'replace' | 'expectedGoalId' | 'criteria' | 'workspace' | 'attachments' | 'then'
>;

/** Reads all facts that a start is judged by. */
export async function readIntakeFacts(
  ports: Ports<IntakeNeeds>,
  principal: Caller,
  { replace, expectedGoalId, criteria = [], workspace, attachments, then = [] }: Asked,
  goalId = `g-${randomBytes(8).toString('hex')}`,
): Promise<IntakeFacts> {
  const named = [...criteria, ...then.flatMap((next) => next.criteria ?? [])];
  const isReplaced = replace === true && typeof expectedGoalId === 'string';
  const [standing, places, replaced, attached] = await Promise.all([
    readStandingFacts(ports, { criteria: named, held: [], sight: sightOf(principal) }),
    placesOf(ports, principal, workspace),
    isReplaced ? seenReach(ports, principal, expectedGoalId) : null,
    namedAttachments(ports, principal, attachments),
  ]);
  return {
    ...standing,
    ...places,
    principal,
    replaced,
    attached,
    defaultModel: ports.settings.defaultModel,
    defaultFallback: ports.settings.defaultFallback,
    sealTarget: ports.sealTarget,
    firstCallTokens: ports.firstCallTokens,
    ids: {
      goal: goalId,
      thread: `t-${randomBytes(8).toString('hex')}`,
    },
    now: new Date(),
  };
}

/** A goal out of sight is none; the record refuses to replace it. */
async function seenReach({ reader }: Ports<'reader'>, principal: Caller, goalId: string) {
  const owner = await reader.owner(goalId);
  return owner !== null && sees(sightOf(principal), owner) ? reader.reach(goalId) : null;
}

/** Reads the facts that hold for starts and amendments. */
export async function readStandingFacts(ports: Ports<StandingNeeds>, named: NamedSealed) {
  const { models, settings, mask, addresses, tokens } = ports;
  return {
    sealed: await readSealedFacts(ports, named),
    models: modelFacts(models),
    parse: await loadShellParser(),
    mask,
    addresses,
    agents: settings.agents,
    rules: settings.rules(),
    hasApprover: await isRoleHeld({ settings, tokens }, PERSONS),
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
