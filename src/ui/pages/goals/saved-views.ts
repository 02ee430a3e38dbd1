import { useSyncExternalStore } from 'react';

/** A name for what an address shows. */
export interface SavedView {
  readonly name: string;
  readonly search: string;
}

const KEY = 'goalkeeper.views';
const MOST_VIEWS = 30;
const MOST_NAME = 60;

const listeners = new Set<() => void>();

/** What another version or somebody's hand left there is as good as nothing. */
export function readViews(text: string | null): readonly SavedView[] {
  try {
    const given: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(given) ? given.filter(isView).slice(0, MOST_VIEWS) : [];
  } catch {
    return [];
  }
}

const isView = (given: unknown): given is SavedView =>
  typeof given === 'object' &&
  given !== null &&
  typeof (given as SavedView).name === 'string' &&
  typeof (given as SavedView).search === 'string';

/** The newest of a name counts; they stay in this browser. */
export function withView(
  views: readonly SavedView[],
  { name, search }: SavedView,
): readonly SavedView[] {
  const short = name.trim().slice(0, MOST_NAME);
  const others = views.filter((one) => one.name !== short);
  return [...others, { name: short, search }].slice(-MOST_VIEWS);
}

let known: { text: string | null; views: readonly SavedView[] } = { text: null, views: [] };

function current(): readonly SavedView[] {
  const text = localStorage.getItem(KEY);
  if (text !== known.text) known = { text, views: readViews(text) };
  return known.views;
}

export const useViews = (): readonly SavedView[] =>
  useSyncExternalStore((onChange) => {
    listeners.add(onChange);
    addEventListener('storage', onChange);
    return () => {
      listeners.delete(onChange);
      removeEventListener('storage', onChange);
    };
  }, current);

function keep(views: readonly SavedView[]): void {
  localStorage.setItem(KEY, JSON.stringify(views));
  for (const listener of listeners) listener();
}

export const saveView = (view: SavedView): void => keep(withView(current(), view));

export const dropView = (name: string): void => keep(current().filter((one) => one.name !== name));
