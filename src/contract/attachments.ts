import type { Attachment, AttachmentRef, GoalAttachment } from '../../schema/attachment.ts';

/** A file with its content, as it was judged. */
export interface JudgedAttachment extends AttachmentRef {
  readonly content: Uint8Array;
}

/** What a model may be shown of a file, in one request; never stored. */
export type Shown =
  | { readonly kind: 'image'; readonly content: Uint8Array; readonly tokens: number }
  | { readonly kind: 'text'; readonly text: string }
  /** It is only named, for this reason. */
  | { readonly kind: 'named'; readonly why: string };

/** A file in a conversation. */
export interface Attached extends AttachmentRef {
  /** Absent in the record: each request says it anew. */
  readonly shown?: Shown;
}

/** How the conversation refers to a file, for `recall`. */
export const attachmentRefOf = ({ sha256 }: Pick<AttachmentRef, 'sha256'>): string =>
  `a${sha256.slice(0, 16)}`;

/** How a model sees images; each bound is of one request. */
export interface ImageSight {
  /** The most that the provider counts for an image of this size. */
  tokens(width: number, height: number): number;
  /** Larger images are named only, because the provider refuses them. */
  readonly mostBytes: number;
  readonly longestSide: number;
}

/** Uploads of people and programs, and what goals hold. */
export interface AttachmentsPort {
  /** @throws Refusal rate_limited when the owner has too many that no goal holds */
  keep(file: JudgedAttachment, owner: string): Promise<Attachment>;
  /** Those of the owner that have not expired, by id. */
  find(ids: readonly string[], owner: string): Promise<ReadonlyMap<string, AttachmentRef>>;
  ofGoal(goalId: string): Promise<readonly GoalAttachment[]>;
  /** Null = the goal holds no such file, or not as it was attached. */
  content(goalId: string, sha256: string): Promise<JudgedAttachment | null>;
}

/** Contents for a goal's requests, by SHA-256; one that is gone or was altered is missing. */
export interface AttachedContents {
  read(goalId: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
}
