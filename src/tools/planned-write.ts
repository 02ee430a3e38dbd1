import type { WritePlan } from '../turn/ports.ts';
import { resolveForWrite, sha256 } from './paths.ts';
import { readResolvedFile } from './regular-file.ts';
import { failed, succeeded } from './results.ts';
import type { ToolContext, ToolResult } from './tool.ts';

/** Larger files can't be written by a tool, but they can be replaced. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Of a path without links. */
export async function hashResolvedFile(absolute: string): Promise<string | null> {
  const bytes = await readResolvedFile(absolute, MAX_BYTES);
  return bytes === null ? null : sha256(bytes);
}

/**
 * Makes a plan true, whether or not an attempt that died did so before. `contentOf` is asked only
 * when the file is still as it was planned to be.
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

/** What became of a plan whose content nobody knows any more: `undone`, or null = can't be told. */
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
