import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { inboxQuery } from '../api/inbox.ts';
import { useMayAct } from '../session/session-context.tsx';

/** How much waits for the person who looks; 0 for whoever may not answer it. */
export function useWaiting(): number {
  const mayAct = useMayAct();
  const { data } = useQuery({ ...inboxQuery, enabled: mayAct });
  return mayAct ? (data?.total ?? 0) : 0;
}

/** The tab's picture has a yellow mark while something waits. */
export function useTabIcon(): void {
  const isWaiting = useWaiting() > 0;
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link === null || !isWaiting) return;
    const before = link.href;
    link.href = new URL('../icon-waiting.svg', import.meta.url).href;
    return () => {
      link.href = before;
    };
  }, [isWaiting]);
}
