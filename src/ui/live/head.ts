import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** A first page knows the head that was put on it last: what of it is a page of its own. */
interface HeadedPage<Item> extends Page<Item> {
  readonly head?: { readonly count: number; readonly nextCursor: string | null };
}

/**
 * Merges a fresh newest page into the loaded list: known items are replaced, new ones go in front,
 * and older pages stay. Null if there is a gap between the two.
 */
export function withHead<Item>(
  loaded: InfiniteData<HeadedPage<Item>, string | null>,
  head: Page<Item>,
  idOf: (item: Item) => string | number,
): InfiniteData<HeadedPage<Item>, string | null> | null {
  const [first, ...rest] = loaded.pages;
  if (first === undefined || first.items.length === 0) return null;
  const fresh = new Map(head.items.map((item) => [idOf(item), item]));
  const isLinked = head.nextCursor === null || first.items.some((item) => fresh.has(idOf(item)));
  if (!isLinked) return null;
  const update = (items: readonly Item[]) => items.map((item) => fresh.get(idOf(item)) ?? item);
  const known = new Set(loaded.pages.flatMap(({ items }) => items.map(idOf)));
  const added = head.items.filter((item) => !known.has(idOf(item)));
  const pages = rest.map((page) => ({ ...page, items: update(page.items) }));
  const items = [...added, ...update(first.items)];
  const { nextCursor } = first;
  const page = { count: head.items.length, nextCursor: head.nextCursor };
  // The fields beside the items are newer in the head than in the page that was loaded.
  return {
    ...loaded,
    pages: [{ ...first, ...head, items, nextCursor, head: page }, ...pages],
  };
}

/** The newest page alone, as it was asked for last; older ones can be loaded again. */
export function newestAlone<Item>(
  loaded: InfiniteData<HeadedPage<Item>, string | null>,
): InfiniteData<HeadedPage<Item>, string | null> {
  const [first] = loaded.pages;
  if (first?.head === undefined) return loaded;
  const { count, nextCursor } = first.head;
  const page = { ...first, items: first.items.slice(0, count), nextCursor };
  return { pages: [page], pageParams: loaded.pageParams.slice(0, 1) };
}

interface Upkeep<Item, Facts> {
  /** Tells from the head whether the whole list has to be loaded anew. */
  readonly isLacking?: (items: readonly Item[], head: Facts) => boolean;
  /** Of a list of one page: what is older goes. */
  readonly most?: number;
}

/** Fetches the newest page of a list in use. */
export async function refreshHead<Item, Facts extends object>(
  client: QueryClient,
  queryKey: QueryKey,
  fetchHead: () => Promise<Page<Item> & Facts>,
  idOf: (item: Item) => string | number,
  { isLacking, most = Number.POSITIVE_INFINITY }: Upkeep<Item, Facts> = {},
): Promise<void> {
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (query === undefined || !query.isActive() || query.state.data === undefined) return;
  const head = await fetchHead().catch(() => null);
  if (head === null) return;
  const loaded = client.getQueryData<InfiniteData<Page<Item>, string | null>>(queryKey);
  const merged = loaded === undefined ? null : withHead(loaded, head, idOf);
  if (merged === null) return client.resetQueries({ queryKey, exact: true });
  const pages = merged.pages.map((page) => ({ ...page, items: page.items.slice(0, most) }));
  client.setQueryData(queryKey, { ...merged, pages });
  if (
    isLacking?.(
      pages.flatMap(({ items }) => items),
      head,
    ) === true
  )
    await client.invalidateQueries({ queryKey, exact: true });
}
