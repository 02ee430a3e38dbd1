import { useEffect } from 'react';

/** The title of the browser's tab; text only. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Goalkeeper`;
  }, [title]);
}
