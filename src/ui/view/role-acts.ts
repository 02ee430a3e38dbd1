import type { operations } from '../api/schema.d.ts';
import type { Role } from './token-form.ts';

interface Act {
  readonly words: string;
  /** The operation that stands for it: a test asks the service's own rule about it. */
  readonly operation: keyof operations;
  readonly roles: readonly Role[];
}

const everybody: readonly Role[] = ['viewer', 'agent', 'operator', 'admin'];
const people: readonly Role[] = ['operator', 'admin'];

/** What a role may, as people ask about it; the service's table has every operation. */
export const roleActs: readonly Act[] = [
  { words: 'Look', operation: 'getGoal', roles: everybody },
  { words: 'Sums over all goals', operation: 'getSpend', roles: ['viewer', ...people] },
  { words: 'Start, message, pause', operation: 'startGoal', roles: ['agent', ...people] },
  { words: 'Answer, approve, resume', operation: 'decideApproval', roles: people },
  { words: 'Always rules', operation: 'revokeRule', roles: people },
  { words: 'Edit, complete, clear', operation: 'amendGoal', roles: people },
  { words: 'Seal criteria', operation: 'sealCriterion', roles: people },
  { words: 'Make and revoke tokens', operation: 'createToken', roles: people },
  { words: 'Security log', operation: 'getSecurityLog', roles: ['admin'] },
];
