import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { inboxQuery } from '../api/inbox.ts';
import type { InboxItem } from '../api/types.ts';
import { useMayAct } from '../session/session-context.tsx';
import { arrivedIn } from '../view/inbox-list.ts';
import { kindWords } from '../view/inbox-text.ts';
import { withNames } from '../view/unseen.ts';

const WANTED = 'goalkeeper-notify';

const listeners = new Set<() => void>();
const changed = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** `missing`: this browser or this address has no notifications. */
type State = 'missing' | 'denied' | 'off' | 'on';

function stateNow(): State {
  if (!('Notification' in window)) return 'missing';
  if (Notification.permission === 'denied') return 'denied';
  const isWanted = localStorage.getItem(WANTED) === 'yes';
  return isWanted && Notification.permission === 'granted' ? 'on' : 'off';
}

async function toggle(): Promise<void> {
  const isOn = stateNow() === 'on';
  localStorage.setItem(WANTED, isOn ? 'no' : 'yes');
  if (!isOn) await Notification.requestPermission();
  changed();
}

export const useNotifying = () => ({
  state: useSyncExternalStore(subscribe, stateNow),
  toggle: () => void toggle(),
});

/** Tells what newly waits while nobody looks at the page; several tabs tell it once. */
export function useNotices(): void {
  const mayAct = useMayAct();
  const { data } = useQuery({ ...inboxQuery, enabled: mayAct });
  const [, navigate] = useLocation();
  const before = useRef<readonly InboxItem[] | null>(null);
  useEffect(() => {
    if (data === undefined) return;
    const arrived = arrivedIn(before.current, data.items);
    before.current = data.items;
    if (stateNow() !== 'on' || document.hasFocus()) return;
    for (const { itemId, kind, title } of arrived) {
      const notice = new Notification(kindWords[kind], { body: withNames(title), tag: itemId });
      notice.addEventListener('click', () => {
        window.focus();
        navigate(`/inbox?item=${encodeURIComponent(itemId)}`);
      });
    }
  }, [data, navigate]);
}
