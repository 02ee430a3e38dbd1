import { z } from 'zod';
import { scheduledStartSchema } from './schedule.ts';

/** A template of the file at a workspace's root, as people choose among them. */
export const workspaceTemplateSchema = z.strictObject({
  name: z.string(),
  about: z.string().optional(),
  objective: z.string(),
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      about: z.string().optional(),
      /** Absent: it has to be set. */
      default: z.string().optional(),
    }),
  ),
});

/** `GET /v1/workspaces/{name}/templates`. */
export const workspaceTemplatesSchema = z.strictObject({
  /** The file's name at the root of the workspace; null = it has none. */
  file: z.string().nullable(),
  /** Is it as in the last commit? Null outside of repositories. */
  isCommitted: z.boolean().nullable(),
  items: z.array(workspaceTemplateSchema),
});

/** `POST /v1/workspaces/{name}/templates/{template}`. */
export const fillTemplateSchema = z.strictObject({
  /** Of its parameters; those with a default may be left out. */
  values: z.record(z.string().max(60), z.string().max(4000)).default({}),
});

/** The start that the template is with these values. */
export const filledTemplateSchema = z.strictObject({ start: scheduledStartSchema });

export type WorkspaceTemplate = z.infer<typeof workspaceTemplateSchema>;
export type WorkspaceTemplates = z.infer<typeof workspaceTemplatesSchema>;
