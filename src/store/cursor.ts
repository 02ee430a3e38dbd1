import { Refusal } from '../contract/failures.ts';

/** A cursor: opaque to callers, it holds the position after the last item of a page. */
export const encodeCursor = (position: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

export function decodeCursor(cursor: string | undefined, length: number): unknown[] | null {
  if (cursor === undefined) return null;
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(position) && position.length === length) return position;
  } catch {
    // An unreadable cursor is refused below.
  }
  throw new Refusal('invalid_request', 'The cursor is not one of this list', { field: 'cursor' });
}

/** The query asks for one extra row, which tells whether there is a next page. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  position: (row: Row) => readonly unknown[],
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    items: shown.map(toItem),
    nextCursor: hasMore ? encodeCursor(position(last)) : null,
  };
}
