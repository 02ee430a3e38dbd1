import { useEffect } from 'react';

/** Of the browser's tab; text only. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Goalkeeper`;
  }, [title]);
}
