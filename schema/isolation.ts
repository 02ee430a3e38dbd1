import { z } from 'zod';

/** How a goal's commands are isolated from the machine; docs/security.md describes each level. */
export const isolationSchema = z.enum(['full', 'partial', 'none']);

export type Isolation = z.infer<typeof isolationSchema>;
