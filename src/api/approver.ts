import type { Caller } from '../../schema/role.ts';
import type { Issue } from '../intake/issue.ts';
import type { Ports } from './application.ts';

export type ApproverNeeds = 'reader' | 'settings' | 'tokens';

/**
 * Where the service asks for a second person: whoever started a goal grants it nothing, and neither
 * does a token that they made.
 */
export async function approverIssue(
  { reader, settings, tokens }: Ports<ApproverNeeds>,
  { name }: Caller,
  goalId: string,
): Promise<Issue | null> {
  if (settings.approvers === 'anybody') return null;
  const startedBy = (await reader.owner(goalId))?.startedBy ?? name;
  const hands = [name, ...(await tokens.makersOf(name))];
  if (!hands.includes(startedBy)) return null;
  const detail = `${startedBy} started it: somebody else has to grant it (GOALKEEPER_APPROVERS).`;
  return { code: 'approver_is_starter', detail, data: { goalId, startedBy } };
}
