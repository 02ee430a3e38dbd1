import type { GoalCounts } from '../../schema/goal-counts.ts';
import type { Inbox } from '../../schema/inbox.ts';
import type { Spend } from '../../schema/operations.ts';
import type { SpendStanding } from '../../schema/spend.ts';
import type { Page } from '../contract/reads.ts';
import type { Client } from './client.ts';
import type { Standing } from './inbox-text.ts';

/** How all goals of the caller stand. Costs that it may not see are none. */
export async function readStanding(client: Client): Promise<Standing> {
  const [inbox, counts] = await Promise.all([
    client.get<Inbox>('/v1/inbox?limit=50'),
    client.get<GoalCounts>('/v1/goals/counts'),
  ]);
  const today = new Date().toISOString().slice(0, 10);
  const spend = await client
    .get<Spend>(`/v1/costs?by=day&from=${today}T00:00:00Z`)
    .catch(() => null);
  const limits = await client.get<Page<SpendStanding>>('/v1/costs/limits').catch(() => null);
  const limit = limits?.items.find(
    ({ name, per, mostUsd }) => name === null && per === 'day' && mostUsd !== null,
  );
  const mostUsd = limit?.mostUsd == null ? null : Number(limit.mostUsd);
  return { inbox, counts, spentUsd: Number(spend?.costUsd ?? 0), mostUsd };
}
