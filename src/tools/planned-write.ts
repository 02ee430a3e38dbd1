import type { WritePlan } from '../contract/tool-call.ts';
import { hashResolvedFile } from '../workspace/hash-file.ts';
import { resolveForWrite, sha256 } from '../workspace/paths.ts';
import { failed, succeeded } from './results.ts';
import type { ToolContext, ToolResult } from './tool.ts';

/**
 * Carries out a plan, also after an attempt that died before or after the write. `contentOf` is
 * called only if the file is still as it was when the plan was made.
 */
export async function carryOutPlan(
  plan: WritePlan,
  context: ToolContext,
  contentOf: (absolute: string) => Promise<Uint8Array | null>,
): Promise<ToolResult> {
  const path = await resolveForWrite(context.workspace.path, plan.path);
  const found = await hashResolvedFile(path.absolute);
  if (found === plan.after) return written(plan);
  const content = found === plan.before ? await contentOf(path.absolute) : null;
  if (content === null || sha256(content) !== plan.after) return moved(plan);
  const { kind } = await context.effects.writeFile({
    path: path.absolute,
    content,
    expected: plan.before,
    callId: context.callId,
  });
  return kind === 'written' ? written(plan) : moved(plan);
}

/** The outcome of a plan whose content is lost: `undone`, or null = unknown. */
export async function endOfPlan(
  plan: WritePlan,
  workspace: string,
): Promise<ToolResult | 'undone' | null> {
  try {
    const { absolute } = await resolveForWrite(workspace, plan.path);
    const found = await hashResolvedFile(absolute);
    if (found === plan.after) return written(plan);
    return found === plan.before ? 'undone' : null;
  } catch {
    return null;
  }
}

function written({ path, before, after }: WritePlan): ToolResult {
  if (before === after) return succeeded(`${path} already has this content.`, { reads: [path] });
  const verb = before === null ? 'Created' : 'Wrote';
  const receipt = { writes: [path], hashes: { [path]: after } };
  return { ...succeeded(`${verb} ${path}.`, receipt), wrote: true };
}

function moved({ path }: WritePlan): ToolResult {
  return failed(`${path} was changed by something else meanwhile. Read it again first`);
}
