import { Refusal } from '../contract/failures.ts';
import { storableText } from './json.ts';

/** A cursor: opaque to callers, it holds the position after the last item of a page. */
export const encodeCursor = (position: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** What a place of a position may hold; the database reads all of it. */
interface Parts {
  /** Of a turn, a step, a row; a rank. */
  readonly number: number;
  /** Of a row in a table that grows for good. */
  readonly long: number;
  readonly text: string;
  readonly amount: string;
  /** As the database writes it. */
  readonly time: string;
  /** As the API writes it. */
  readonly instant: string;
}

type Position<Kinds extends readonly (keyof Parts)[]> = {
  readonly [Place in keyof Kinds]: Parts[Kinds[Place]];
};

const MOST_NUMBER = 2_147_483_647;
const TIME =
  /^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-](?:0\d|1[0-5])(?::[0-5]\d)?$/;
const INSTANT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const isPart: { readonly [Kind in keyof Parts]: (part: unknown) => boolean } = {
  number: (part) => Number.isInteger(part) && Number(part) >= 0 && Number(part) <= MOST_NUMBER,
  long: (part) => Number.isSafeInteger(part) && Number(part) >= 0,
  text: (part) => typeof part === 'string' && storableText(part) === part,
  amount: (part) => typeof part === 'string' && /^\d{1,30}(?:\.\d{1,30})?$/.test(part),
  time: (part) => typeof part === 'string' && TIME.test(part) && isOnCalendar(part),
  instant: (part) => typeof part === 'string' && INSTANT.test(part) && isOnCalendar(part),
};

/** Neither 30 February nor 25 o'clock, which the database refuses and `Date` takes for another time. */
function isOnCalendar(text: string): boolean {
  const shown = `${text.slice(0, 10)}T${text.slice(11, 19)}`;
  const at = new Date(`${shown}Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(shown);
}

/**
 * The position in a cursor of a list whose positions have these places; null = none was given.
 * @throws Refusal that names the field
 */
export function decodeCursor<const Kinds extends readonly (keyof Parts)[]>(
  cursor: string | undefined,
  kinds: Kinds,
): Position<Kinds> | null {
  if (cursor === undefined) return null;
  const position = partsIn(cursor);
  const isRight =
    position.length === kinds.length && kinds.every((kind, place) => isPart[kind](position[place]));
  if (isRight) return position as unknown as Position<Kinds>;
  throw new Refusal('invalid_request', 'The cursor is not one of this list', { field: 'cursor' });
}

function partsIn(cursor: string): readonly unknown[] {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(position) ? position : [];
  } catch {
    return [];
  }
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
