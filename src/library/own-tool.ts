import type { z } from 'zod';
import type { Mode } from '../../schema/goal.ts';
import type { Effect } from '../../schema/ledger.ts';
import { cutText } from '../tools/output.ts';
import { ALL_MODES, failed, succeeded } from '../tools/results.ts';
import type { Tool, ToolContext, ToolResult } from '../tools/tool.ts';
import { diffFingerprints, takeFingerprint } from '../workspace/fingerprint.ts';

/** The context that an application's tool gets beside its arguments. */
export interface OwnToolContext {
  readonly goalId: string;
  /** Absolute path of the goal's files. */
  readonly workspace: string;
  /** The idempotency key of this call, the same for all its attempts. */
  readonly idempotencyKey: string;
  /** Aborts when the goal is paused, cleared or replaced. */
  readonly signal: AbortSignal;
}

export interface OwnTool<Schema extends z.ZodType = z.ZodType> {
  /** Letters, digits, `_` and `-`, at most 64, which every provider accepts. */
  readonly name: string;
  /** Tells the model what the tool does and when to use it. */
  readonly description: string;
  /**
   * The handling of a crash during a call. `read`: the call is run again. `write`: the call changes
   * only the workspace; the model is told that the outcome is unknown, and looks. `once`: the call
   * has outside effects and must not be repeated; a person is asked.
   */
  readonly effect: Effect;
  /** The schema of the arguments; nothing runs if they don't fit. */
  readonly schema: Schema;
  /** By default, tools that only read are in every mode, all others in `agent`. */
  readonly modes?: readonly Mode[];
  /** Returns the text for the model. A thrown error's message goes to the model as a failure. */
  run(args: z.output<Schema>, context: OwnToolContext): Promise<string>;
}

/** Names the type of the arguments; the tool itself stays as it is. */
export const defineTool = <Schema extends z.ZodType>(tool: OwnTool<Schema>): OwnTool =>
  tool as unknown as OwnTool;

const NAME = /^[\w-]{1,64}$/;

/**
 * Converts it to a tool of the ledger, the policy and the crash rules.
 * @throws TypeError for a name that no provider would take
 */
export function asTool(own: OwnTool): Tool {
  if (!NAME.test(own.name)) {
    throw new TypeError(`The tool "${own.name}" needs a name of letters, digits, "_" and "-".`);
  }
  const { name, description, effect, schema } = own;
  const modes = own.modes ?? (effect === 'read' ? ALL_MODES : (['agent'] as const));
  return {
    name,
    description,
    effect,
    modes,
    schema,
    run: (args, context) => run(own, args, context),
  };
}

async function run(own: OwnTool, args: unknown, context: ToolContext): Promise<ToolResult> {
  if (own.effect === 'read') return await told(own, args, context);
  const { path } = context.workspace;
  const look = () => takeFingerprint(path, context.watched);
  const before = await look();
  const result = await told(own, args, context);
  const writes = diffFingerprints(before, await look());
  if (writes.length === 0) return result;
  const receipt = { ...result.receipt, writes: writes.slice(0, MOST_WRITES) };
  return { ...result, receipt, wrote: true };
}

const MOST_WRITES = 5000;

async function told(own: OwnTool, args: unknown, context: ToolContext): Promise<ToolResult> {
  const { workspace, signal, idempotencyKey } = context;
  const goalId = idempotencyKey.slice(0, idempotencyKey.indexOf('/'));
  try {
    const about = { goalId, workspace: workspace.path, signal, idempotencyKey };
    return succeeded(cutText(await own.run(args, about), 'ask for less'));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}
