import { z } from 'zod';

/** A change of what checks rest on, as people look at it before they accept it. */
export const basisChangeSchema = z.strictObject({
  name: z.string(),
  kind: z.enum([
    'script',
    'configuration',
    'executable',
    'link',
    'mode',
    'suppression',
    'test_deleted',
    'test_changed',
    'test_skipped',
    'test_gone',
    'beyond_scope',
  ]),
  criterionIds: z.array(z.string()),
  /** SHA-256 before; null = the file didn't exist. For a lost test: its former result. */
  before: z.string().nullable(),
  now: z.string().nullable(),
  /** Empty when there is no text to show. */
  diff: z.string(),
});

export type ShownChange = z.infer<typeof basisChangeSchema>;
