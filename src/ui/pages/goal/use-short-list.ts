import { type InfiniteData, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect } from 'react';
import type { Turn } from '../../api/types.ts';
import { newestAlone } from '../../live/head.ts';

/** Turns that a followed goal leaves on the page. */
const MOST = 90;

type Turns = InfiniteData<
  { readonly items: readonly Turn[]; readonly nextCursor: string | null },
  string | null
>;

/**
 * Turns that were new once and are far below by now go from the page of a goal that is followed, so
 * that a tab which is left open for days stays as it was. Older ones can be loaded again.
 */
export function useShortList(
  pane: RefObject<HTMLElement | null>,
  queryKey: QueryKey,
  items: readonly { readonly turn: number }[],
  isFollowing: boolean,
): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isFollowing || items.length <= MOST) return;
    const data = client.getQueryData<Turns>(queryKey);
    if (data === undefined) return;
    const short = newestAlone(data);
    const last = short.pages[0]?.items.at(-1);
    if (short === data || last === undefined || !isBelowSight(pane.current, last.turn)) return;
    client.setQueryData(queryKey, short);
  });
}

/** Nothing behind it is seen, and nobody is at it. */
function isBelowSight(pane: HTMLElement | null, turn: number): boolean {
  const row = document.getElementById(`turn-${turn}`);
  if (pane === null || row === null) return false;
  const end = Math.min(pane.getBoundingClientRect().bottom, innerHeight);
  if (row.getBoundingClientRect().top < end) return false;
  const at = document.activeElement;
  return at === null || !pane.contains(at) || !(row.compareDocumentPosition(at) & BEHIND);
}

const BEHIND = Node.DOCUMENT_POSITION_FOLLOWING;
