export interface TreeEntry {
  readonly kind: 'file' | 'link';
  readonly mode: number;
  /** The id of its content in the store. */
  readonly object: string;
}

/** A snapshot by path. */
export interface StoredTree {
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** Too large for a checkpoint when it was made. */
  readonly leftOut: readonly string[];
  /** Files, and folders with a trailing slash, that could not be read then. */
  readonly unread: readonly string[];
}

/** Whether the path existed and what it held is unknown. */
export const isUnread = ({ unread }: Pick<StoredTree, 'unread'>, path: string): boolean =>
  unread.some((one) => one === path || ((one === '' || one.endsWith('/')) && path.startsWith(one)));

export const isSameEntry = (one: TreeEntry | undefined, other: TreeEntry | undefined): boolean =>
  one?.object === other?.object && one?.kind === other?.kind && one?.mode === other?.mode;
