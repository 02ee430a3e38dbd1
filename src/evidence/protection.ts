import type { GoalBrief } from '../contract/goal-brief.ts';
import type { WritePlan } from '../contract/tool-call.ts';
import { refused } from '../tools/results.ts';
import type { ToolResult } from '../tools/tool.ts';
import { resolveInside } from '../workspace/paths.ts';

/** Refuses a tool's write to a protected path, unless it restores the first content. */
export async function refuseProtected(
  brief: Pick<GoalBrief, 'criteria' | 'baseline' | 'workspace'>,
  plan: WritePlan,
): Promise<ToolResult | null> {
  for (const { criterionId, spec } of brief.criteria) {
    if (spec.kind !== 'file' || spec.protect === undefined) continue;
    const path = await resolveInside(brief.workspace.path, spec.path).catch(() => null);
    const isInside =
      path !== null && (plan.path === path.relative || plan.path.startsWith(`${path.relative}/`));
    if (!isInside) continue;
    const first = brief.baseline?.seen?.[criterionId]?.hash;
    if (plan.path === path.relative && first !== undefined && plan.after === first) continue;
    return refused(`criterion ${criterionId} protects ${path.relative}, so it stays as it is`);
  }
  return null;
}
