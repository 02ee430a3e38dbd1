import { useEffect, useRef } from 'react';

type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** The second key of `g g` comes within this. */
const SEQUENCE_MS = 900;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !['checkbox', 'range', 'radio'].includes(target.type)));

const hasDialog = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;

/** Single keys; off while typing, in dialogs, and with Ctrl, Alt or Meta. */
export function useKeys(map: KeyMap): void {
  const latest = useRef(map);
  latest.current = map;
  useEffect(() => {
    let prefix = '';
    let prefixAt = 0;
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || hasDialog()) return;
      const isSequence = prefix !== '' && Date.now() - prefixAt < SEQUENCE_MS;
      const name = isSequence ? `${prefix} ${event.key}` : event.key;
      prefix = event.key === 'g' && !isSequence ? 'g' : '';
      prefixAt = Date.now();
      const act = latest.current[name];
      if (act === undefined) return;
      event.preventDefault();
      act(event);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
