import type { Approval } from '../../schema/approval.ts';
import type { Goal } from '../../schema/goal.ts';
import type { Page } from '../contract/reads.ts';
import { approvalText } from './approval-text.ts';
import type { Client } from './client.ts';
import { isOver } from './goal-text.ts';
import { printable } from './terminal.ts';

interface Question {
  readonly question: { readonly text: string; readonly options: readonly string[] } | null;
}

/** The claim or the choices that a person needs to see before they answer or approve. */
export async function decisionText(client: Client, goal: Goal): Promise<string> {
  const { goalId, pause } = goal;
  // A goal that is over has no open questions.
  const { items } = isOver(goal)
    ? { items: [] }
    : await client.get<Page<Approval>>(`/v1/approvals?goalId=${goalId}`);
  if (items.length > 0) return items.map((item) => `\n\n${approvalText(item)}`).join('');
  if (pause?.questionId === undefined) return '';
  const { question } = await client.get<Question>(`/v1/goals/${goalId}/question`);
  const options = question?.options ?? [];
  return options.length === 0 ? '' : `\noptions: ${printable(options.join(' | '))}`;
}
