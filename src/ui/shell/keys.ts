import { useLayoutEffect, useRef } from 'react';
import type { KeyName } from './key-names.ts';

type KeyMap = Readonly<Partial<Record<KeyName, (event: KeyboardEvent) => void>>>;

/** The second key of `g g` comes within this. */
const SEQUENCE_MS = 900;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !['checkbox', 'range', 'radio'].includes(target.type)));

const PRESSED_BY: Readonly<Record<string, RegExp>> = {
  ' ': /^(BUTTON|A|SUMMARY|INPUT)$/,
  Enter: /^(BUTTON|A|SUMMARY)$/,
};

/** The space bar and Enter press what has the focus. */
const isPressed = ({ key, target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && PRESSED_BY[key]?.test(target.tagName) === true;

/** For keys that move a cursor: Enter then opens the row, and presses no button clicked before. */
export const leaveControls = (): void =>
  document.getElementById('main')?.focus({ preventScroll: true });

const hasDialog = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;

/** Single keys; off while typing, in dialogs, and with Ctrl, Alt or Meta. */
export function useKeys(map: KeyMap): void {
  const latest = useRef(map);
  latest.current = map;
  // What is drawn has its keys: none is lost between the two.
  useLayoutEffect(() => {
    let prefix = '';
    let prefixAt = 0;
    let hadDialog = false;
    // A dialog that this key closes may be gone before the key comes by here.
    const lookFirst = () => {
      hadDialog = hasDialog();
    };
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || hadDialog) return;
      if (isPressed(event)) return;
      const isSequence = prefix !== '' && Date.now() - prefixAt < SEQUENCE_MS;
      const name = isSequence ? `${prefix} ${event.key}` : event.key;
      prefix = event.key === 'g' && !isSequence ? 'g' : '';
      prefixAt = Date.now();
      const act = latest.current[name as KeyName];
      if (act === undefined) return;
      event.preventDefault();
      act(event);
    };
    window.addEventListener('keydown', lookFirst, true);
    document.addEventListener('keydown', listen);
    return () => {
      window.removeEventListener('keydown', lookFirst, true);
      document.removeEventListener('keydown', listen);
    };
  }, []);
}
