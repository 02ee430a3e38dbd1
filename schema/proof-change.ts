import { z } from 'zod';

/**
 * A change beyond the scope without which a proof fails, as people look at it before they accept
 * it. `packages`: a folder of installed packages; `test_gone`, `test_skipped`: a test of the
 * original that no longer runs; `not_looked_at`: a file that a checker looked at and no longer does; `rewritten`: a file of the
 * judge that the work changed while the check ran; `breaks`: a change beyond the scope with which
 * the original's checks no longer hold.
 */
export const proofChangeSchema = z.strictObject({
  /** A path; of a folder with a trailing slash. */
  name: z.string(),
  kind: z.enum([
    'beyond_scope',
    'packages',
    'test_skipped',
    'test_gone',
    'not_looked_at',
    'rewritten',
    'breaks',
  ]),
  criterionIds: z.array(z.string()),
  /** Stands for the content before; null = there was none. For a lost test: its former result. */
  before: z.string().nullable(),
  now: z.string().nullable(),
  /** Empty when there is no text to show. */
  diff: z.string(),
});

export type ShownChange = z.infer<typeof proofChangeSchema>;
