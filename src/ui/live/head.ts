import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/**
 * Merges a fresh newest page into the loaded list: known items are replaced, new ones go in front,
 * and older pages stay. Null if there is a gap between the two.
 */
export function withHead<Item>(
  loaded: InfiniteData<Page<Item>, string | null>,
  head: Page<Item>,
  idOf: (item: Item) => string | number,
): InfiniteData<Page<Item>, string | null> | null {
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
  // The fields beside the items are newer in the head than in the page that was loaded.
  return {
    ...loaded,
    pages: [{ ...first, ...head, items, nextCursor: first.nextCursor }, ...pages],
  };
}

/**
 * Fetches the newest page of a list in use.
 * @param isLacking tells from the head whether the whole list has to be loaded anew
 */
export async function refreshHead<Item, Facts extends object>(
  client: QueryClient,
  queryKey: QueryKey,
  fetchHead: () => Promise<Page<Item> & Facts>,
  idOf: (item: Item) => string | number,
  isLacking: (items: readonly Item[], head: Facts) => boolean = () => false,
): Promise<void> {
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (query === undefined || !query.isActive() || query.state.data === undefined) return;
  const head = await fetchHead().catch(() => null);
  if (head === null) return;
  const loaded = client.getQueryData<InfiniteData<Page<Item>, string | null>>(queryKey);
  const merged = loaded === undefined ? null : withHead(loaded, head, idOf);
  if (merged === null) return client.resetQueries({ queryKey, exact: true });
  client.setQueryData(queryKey, merged);
  const items = merged.pages.flatMap((page) => page.items);
  if (isLacking(items, head)) await client.invalidateQueries({ queryKey, exact: true });
}
