import { z } from 'zod';

/** What came of bringing a goal's branch into the workspace that it was made from. */
export const appliedBranchSchema = z.object({
  goalId: z.string(),
  branch: z.string(),
  /** The workspace that has it now. */
  workspace: z.string(),
  /** What was checked out there before, and is now. */
  from: z.string(),
  commit: z.string(),
  /** Files that differ between the two. */
  files: z.int(),
  /** False where all of it was there already. */
  isNew: z.boolean(),
  /** Files that somebody edited while a worker that died was at it; they are as they were left. */
  left: z.array(z.object({ path: z.string(), why: z.string() })),
});

export type AppliedBranch = z.infer<typeof appliedBranchSchema>;
