import type { Goal } from '../../schema/goal.ts';
import type { Page, ReaderPort } from '../db/ports.ts';
import type { Client } from './client.ts';
import { printable } from './terminal.ts';

type Approval = Awaited<ReturnType<ReaderPort['approvals']>>[number];

interface Question {
  readonly question: { readonly text: string; readonly options: readonly string[] } | null;
}

/** What a person needs to see before they answer or approve: the claim, or the choices. */
export async function decisionText(client: Client, goal: Goal): Promise<string> {
  const { goalId, pause } = goal;
  if (pause?.approvalId !== undefined) {
    const path = `/v1/approvals?goalId=${goalId}`;
    const { items } = await client.get<Page<Approval>>(path);
    return items.map(claimText).join('');
  }
  if (pause?.questionId === undefined) return '';
  const { question } = await client.get<Question>(`/v1/goals/${goalId}/question`);
  const options = question?.options ?? [];
  return options.length === 0 ? '' : `\noptions: ${printable(options.join(' | '))}`;
}

function claimText({ data }: Approval): string {
  const { result } = data as { result?: unknown };
  return typeof result === 'string' ? `\n\nclaim: ${printable(result)}` : '';
}
