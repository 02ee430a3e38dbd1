import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';

const COOKIE = 'goalkeeper_theme';
const YEAR = 365 * 24 * 60 * 60;

const isScheme = (value: string | null): value is MantineColorScheme =>
  value === 'light' || value === 'dark' || value === 'auto';

/** Kept in a cookie that the service reads, so that a page comes in its colours at once. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get(otherwise) {
    const asked = new URLSearchParams(location.search).get('theme');
    const kept = new RegExp(`${COOKIE}=(\\w+)`).exec(document.cookie)?.[1] ?? null;
    if (isScheme(asked)) return asked;
    return isScheme(kept) ? kept : otherwise;
  },
  set(value) {
    // biome-ignore lint/suspicious/noDocumentCookie: the service has to see it with the next page.
    document.cookie = `${COOKIE}=${value};path=/;max-age=${YEAR};samesite=strict`;
  },
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
};
