import { z } from 'zod';
import { inFormat, wordSchema } from './text.ts';

export const MOST_ATTACHMENT_BYTES = 10 * 1024 * 1024;
/** Of one start, message or answer. */
export const MOST_ATTACHMENTS = 10;

/** What the content says of itself; all that is neither an image nor text is `octet-stream`. */
export const mediaTypeSchema = z.enum([
  'image/png',
  'image/jpeg',
  'image/webp',
  'text/plain',
  'application/octet-stream',
]);

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits');

/** A file as the record names it. */
export const attachmentRefSchema = z.strictObject({
  /** Of the content as it is kept: a text is kept without secrets. */
  sha256: sha256Schema,
  name: z.string(),
  mediaType: mediaTypeSchema,
  bytes: z.int(),
  /** Of an image, in pixels. */
  width: z.int().optional(),
  height: z.int().optional(),
});

/** An uploaded file, which its owner may attach until it expires. */
export const attachmentSchema = attachmentRefSchema.extend({
  attachmentId: z.string(),
  /** When it goes, unless a goal holds it by then. */
  expiresAt: z.string(),
});

/** A file that a goal holds, and what brought it. */
export const goalAttachmentSchema = attachmentRefSchema.extend({
  source: z.enum(['objective', 'message', 'answer', 'call']),
  /** The call whose result it is. */
  callId: z.string().optional(),
  at: z.string(),
});

const attachmentIdSchema = z
  .string()
  .regex(/^at-[0-9a-f]{16}$/, 'must be the id of an upload, such as at-0123456789abcdef');

/** Ids of uploads of the same caller. */
export const attachmentIdsSchema = z.array(attachmentIdSchema).min(1).max(MOST_ATTACHMENTS);

/** The last part of a path: no folders, nothing that a header or a terminal reads as its own. */
export const fileNameSchema = wordSchema(200).check(
  inFormat('file-name', (name) =>
    name.trim() === '' || name === '.' || name === '..' || /[/\\\p{C}\u2028\u2029]/u.test(name)
      ? 'must be the name of a file, without folders and control characters'
      : null,
  ),
);

export type MediaType = z.infer<typeof mediaTypeSchema>;
export type AttachmentRef = z.infer<typeof attachmentRefSchema>;
export type Attachment = z.infer<typeof attachmentSchema>;
export type GoalAttachment = z.infer<typeof goalAttachmentSchema>;
