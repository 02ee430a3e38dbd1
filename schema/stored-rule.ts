import { z } from 'zod';

/**
 * The calls that a stored rule lets run: of one tool, exactly as a person approved one of them.
 * `command`: this command, in the folder `cwd` (relative to the workspace, `.` = it itself).
 * `path`: on this file or folder, whatever else the call says. `arguments`: with exactly these.
 */
export const coveredCallsSchema = z.union([
  z.strictObject({ tool: z.string(), command: z.string(), cwd: z.string() }),
  z.strictObject({ tool: z.string(), path: z.string() }),
  z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
]);

/** What a person answered once for all goals of a workspace. */
export const storedRuleSchema = z.strictObject({
  ruleId: z.string(),
  workspace: z.string(),
  covers: coveredCallsSchema,
  /** The same in one line. */
  says: z.string(),
  madeBy: z.string(),
  madeAt: z.string(),
  /** The goal whose question was answered, and the approval. */
  goalId: z.string(),
  approvalId: z.string(),
  /** null = it holds */
  revokedAt: z.string().nullable(),
  revokedBy: z.string().nullable(),
});

export type CoveredCalls = z.infer<typeof coveredCallsSchema>;
export type StoredRule = z.infer<typeof storedRuleSchema>;
