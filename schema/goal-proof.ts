import { z } from 'zod';
import { scopeSchema } from './scope.ts';

/** A file that the proof run took from the goal's work. */
export const provenFileSchema = z.strictObject({
  path: z.string(),
  /** SHA-256 of the content; null = the file is gone. */
  sha256: z.string().nullable(),
  /** As git writes it: 100644, 100755 or 120000; null = the file is gone. */
  mode: z.string().nullable(),
});

/** How a completion was proven: the original tree, with these changes and nothing else. */
export const goalProofSchema = z.strictObject({
  /** Ids that git gives these trees, 40 hex digits. */
  original: z.string(),
  tree: z.string(),
  scope: scopeSchema,
  files: z.array(provenFileSchema),
  /** Names in `files` that lie beyond the scope and that a person accepted. */
  accepted: z.array(z.string()),
  /** Changes that are delivered and that the proof did without. */
  beyondScope: z.array(z.string()),
  /** Folders of installed packages that were there, and how they came to be there. */
  packages: z.array(z.strictObject({ at: z.string(), state: z.enum(['unchanged', 'accepted']) })),
  /** What installs packages where those of the workspace can't be lent; absent in earlier records. */
  setups: z
    .array(z.strictObject({ command: z.string(), folder: z.string(), added: z.array(z.string()) }))
    .optional(),
  criteria: z.array(
    z.strictObject({
      criterionId: z.string(),
      /** Ledger rows of the runs. */
      receipts: z.array(z.int()),
      /** Tests that ran on the original and in the proof; null where no runner told. */
      tests: z.strictObject({ before: z.int().nullable(), now: z.int().nullable() }),
      /**
       * Whether it fails where its judge expects something else; absent in earlier records and for
       * checkers.
       */
      canaries: z
        .strictObject({
          state: z.enum(['held', 'deaf', 'bent', 'not_applied']),
          reason: z.string(),
        })
        .optional(),
    }),
  ),
  /** Changed files without which a check fails, or none does; absent in earlier records. */
  felt: z
    .strictObject({
      felt: z.array(z.string()),
      unfelt: z.array(z.string()),
      untried: z.array(z.string()),
    })
    .optional(),
  /** The work includes files that judge it, and the proof needs them. */
  selfChecked: z.boolean(),
});

export type GoalProof = z.infer<typeof goalProofSchema>;
export type ProvenFile = GoalProof['files'][number];
