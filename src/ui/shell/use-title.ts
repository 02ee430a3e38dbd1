import { useEffect } from 'react';
import { withNames } from '../view/unseen.ts';
import { useWaiting } from './waiting.ts';

/** The title of the browser's tab, text only, with the number of what waits. */
export function useTitle(title: string): void {
  const waiting = useWaiting();
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${withNames(title)} · Goalkeeper`;
  }, [title, waiting]);
}
