import { z } from 'zod';

/** What keeps the machine from the commands of a goal; docs/security.md says what each is worth. */
export const isolationSchema = z.enum(['full', 'partial', 'none']);

export type Isolation = z.infer<typeof isolationSchema>;
