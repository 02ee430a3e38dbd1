import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { pointQuery } from '../../api/queries.ts';
import type { HistoryPoint, PointPlace } from '../../api/types.ts';

export interface Place {
  readonly point: HistoryPoint | undefined;
  /** Follows what happens. */
  readonly isNow: boolean;
  readonly isWaiting: boolean;
  readonly error: Error | null;
  readonly turnAsked: number | null;
  /** The shown event may still be the one before. */
  readonly seqAsked: number | null;
  readonly goTo: (place: PointPlace) => void;
  readonly goToNow: () => void;
}

const NAMES = ['seq', 'at', 'turn'] as const;

/** The shown moment of the goal's life: part of the address, so that it can be sent to others. */
export function usePlace(goalId: string): Place {
  const [search, setSearch] = useSearchParams();
  const asked = placeIn(search);
  const point = useQuery({ ...pointQuery(goalId, asked), placeholderData: keepPreviousData });
  const put = useCallback(
    (place: PointPlace | null) =>
      setSearch(
        (before) => {
          const after = new URLSearchParams(before);
          for (const name of NAMES) after.delete(name);
          for (const [name, value] of Object.entries(place ?? {})) after.set(name, String(value));
          return after;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return {
    point: point.data,
    isNow: asked === null,
    isWaiting: point.isPlaceholderData,
    error: point.error,
    turnAsked: asked?.turn ?? null,
    seqAsked: asked?.seq ?? null,
    goTo: put,
    goToNow: useCallback(() => put(null), [put]),
  };
}

function placeIn(search: URLSearchParams): PointPlace | null {
  const at = search.get('at');
  if (at !== null && !Number.isNaN(Date.parse(at))) return { at };
  for (const name of ['seq', 'turn'] as const) {
    const number = Number(search.get(name) ?? 0);
    if (Number.isInteger(number) && number > 0) return { [name]: number };
  }
  return null;
}
