import { z } from 'zod';
import type { WritePlan } from '../contract/tool-call.ts';
import { MASK } from '../secrets/mask.ts';
import { whyOverMask } from '../secrets/masked-places.ts';
import { hashResolvedFile } from '../workspace/hash-file.ts';
import { resolveForWrite, sha256 } from '../workspace/paths.ts';
import { readTextFile } from '../workspace/text-file.ts';
import { carryOutPlan } from './planned-write.ts';
import { defineTool, failed, refusingPaths } from './results.ts';
import type { ToolContext, ToolResult } from './tool.ts';
import { wholeText } from './whole-text.ts';

const schema = z.strictObject({
  path: z.string().min(1).max(4096).describe('File, relative to the workspace'),
  content: wholeText(5_000_000).describe('The whole new content'),
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

async function planWrite(args: Arguments, context: ToolContext): Promise<WritePlan | ToolResult> {
  const path = await resolveForWrite(context.workspace.path, args.path);
  const present = args.content.includes(MASK) && path.kind === 'file';
  const file = present ? await readTextFile(path.absolute, path.relative) : null;
  const spoiled = file?.ok ? whyOverMask(file.text, args.content, context.mask) : null;
  if (spoiled !== null) return failed(`${path.relative}: ${spoiled}`);
  const before = await hashResolvedFile(path.absolute);
  return { path: path.relative, before, after: sha256(Buffer.from(args.content)) };
}

async function write(
  args: Arguments,
  context: ToolContext,
  plan: WritePlan | undefined,
): Promise<ToolResult> {
  const agreed = plan ?? (await planWrite(args, context));
  if ('outcome' in agreed) return agreed;
  return carryOutPlan(agreed, context, async () => Buffer.from(args.content));
}
