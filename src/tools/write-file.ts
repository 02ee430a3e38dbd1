import { z } from 'zod';
import type { WritePlan } from '../turn/ports.ts';
import { resolveForWrite, sha256 } from './paths.ts';
import { carryOutPlan, hashFile } from './planned-write.ts';
import { defineTool, refusingPaths } from './results.ts';
import type { ToolContext, ToolResult } from './tool.ts';

const schema = z.strictObject({
  path: z.string().min(1).max(4096).describe('File, relative to the workspace'),
  content: z.string().max(5_000_000).describe('The whole new content'),
});

type Arguments = z.infer<typeof schema>;

export const writeFileTool = defineTool<Arguments>({
  name: 'write_file',
  description:
    'Writes a whole file, replacing what was there, and makes folders as needed. To change a ' +
    'part of a file, use edit_file.',
  effect: 'write',
  modes: ['agent'],
  schema,
  plan: (args, context) => refusingPaths(() => planWrite(args, context)),
  run: (args, context, plan) => refusingPaths(() => write(args, context, plan)),
});

async function planWrite(args: Arguments, context: ToolContext): Promise<WritePlan> {
  const path = await resolveForWrite(context.workspace.path, args.path);
  const before = await hashFile(path.absolute);
  return { path: path.relative, before, after: sha256(Buffer.from(args.content)) };
}

async function write(
  args: Arguments,
  context: ToolContext,
  plan: WritePlan | undefined,
): Promise<ToolResult> {
  const agreed = plan ?? (await planWrite(args, context));
  return carryOutPlan(agreed, context, async () => Buffer.from(args.content));
}
