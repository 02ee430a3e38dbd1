import { z } from 'zod';
import type { WritePlan } from '../contract/tool-call.ts';
import { whyOverMask } from '../secrets/masked-places.ts';
import { resolveForWrite, sha256 } from '../workspace/paths.ts';
import { readTextFile } from '../workspace/text-file.ts';
import { applyEdits, type EditResult } from './edit/apply.ts';
import { carryOutPlan } from './planned-write.ts';
import { defineTool, failed, refusingPaths } from './results.ts';
import type { ToolContext, ToolResult } from './tool.ts';
import { wholeText } from './whole-text.ts';

const editSchema = z.strictObject({
  oldText: wholeText(1_000_000).min(1).describe('Text to replace, as it is in the file'),
  newText: wholeText(1_000_000).describe('Text to put there'),
  replaceAll: z.boolean().optional().describe('Replace every place, not the only one'),
});

const schema = z.strictObject({
  path: z.string().min(1).max(4096).describe('File, relative to the workspace'),
  edits: z.array(editSchema).min(1).max(200),
});

type Arguments = z.infer<typeof schema>;

export const editFileTool = defineTool<Arguments>({
  name: 'edit_file',
  description:
    'Replaces parts of a text file. Every oldText must be in the file exactly once (or set ' +
    'replaceAll), without line numbers. All edits refer to the file as it is now and must not ' +
    'overlap; either all of them are made or none.',
  effect: 'write',
  modes: ['agent'],
  schema,
  plan: (args, context) => refusingPaths(() => planEdit(args, context)),
  run: (args, context, plan) => refusingPaths(() => edit(args, context, plan)),
});

async function planEdit(args: Arguments, context: ToolContext): Promise<WritePlan | ToolResult> {
  const path = await resolveForWrite(context.workspace.path, args.path);
  const file = await readTextFile(path.absolute, path.relative);
  if (!file.ok) return failed(file.reason);
  const edited = applyEdits(path.relative, file.text, args.edits);
  if (!edited.ok) return failed(edited.reason);
  const spoiled = whyOverMask(file.text, edited.text, context.mask);
  if (spoiled !== null) return failed(`${path.relative}: ${spoiled}`);
  const after = sha256(Buffer.from(edited.text));
  return { path: path.relative, before: sha256(file.bytes), after };
}

async function edit(
  args: Arguments,
  context: ToolContext,
  plan: WritePlan | undefined,
): Promise<ToolResult> {
  const agreed = plan ?? (await planEdit(args, context));
  if ('outcome' in agreed) return agreed;
  let edited: EditResult | undefined;
  const result = await carryOutPlan(agreed, context, async (absolute) => {
    const file = await readTextFile(absolute, agreed.path);
    if (!file.ok) return null;
    edited = applyEdits(agreed.path, file.text, args.edits);
    return edited.ok ? Buffer.from(edited.text) : null;
  });
  return result.outcome === 'succeeded'
    ? { ...result, text: result.text + noteOn(edited) }
    : result;
}

function noteOn(edited: EditResult | undefined): string {
  const isLoose =
    edited?.ok === true && edited.tiers.some((tier) => tier === 'whitespace' || tier === 'fuzzy');
  return isLoose
    ? ' Some oldText matched only nearly: check indentation and the lines around.'
    : '';
}
