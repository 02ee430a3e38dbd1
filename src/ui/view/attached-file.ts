/** A file that was uploaded from a form and not sent yet. */
export interface AttachedFile {
  readonly attachmentId: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
}

export const MOST_FILES = 10;

/** What a request says of them. */
export const attachedIn = (files: readonly AttachedFile[]): { attachments?: string[] } =>
  files.length === 0 ? {} : { attachments: files.map(({ attachmentId }) => attachmentId) };
