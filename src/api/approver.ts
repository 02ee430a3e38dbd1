import type { Caller } from '../../schema/role.ts';
import type { Maker } from '../contract/tokens.ts';
import type { Issue } from '../intake/issue.ts';
import type { Ports } from './application.ts';

export type ApproverNeeds = 'reader' | 'settings' | 'tokens';

/**
 * Where the service asks for a second person: whoever started a goal grants it nothing. Tokens that
 * one made, or made for another, are one person; an admin makes them for many.
 */
export async function approverIssue(
  { reader, settings, tokens }: Ports<ApproverNeeds>,
  { name }: Caller,
  goalId: string,
): Promise<Issue | null> {
  if (settings.approvers === 'anybody') return null;
  const startedBy = (await reader.owner(goalId))?.startedBy ?? name;
  const makers = await tokens.makersOf(name);
  const own = [name, ...oneHand(makers)];
  const starters = [startedBy, ...oneHand(await tokens.makersOf(startedBy))];
  const isStarter =
    makers.some((maker) => maker.name === startedBy) || own.some((one) => starters.includes(one));
  if (!isStarter) return null;
  const detail = `${startedBy} started it: somebody else has to grant it (GOALKEEPER_APPROVERS).`;
  return { code: 'approver_is_starter', detail, data: { goalId, startedBy } };
}

function oneHand(makers: readonly Maker[]): string[] {
  const admin = makers.findIndex(({ isAdmin }) => isAdmin);
  return makers.slice(0, admin === -1 ? undefined : admin).map(({ name }) => name);
}
