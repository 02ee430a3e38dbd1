import { type FocusEvent, type FormEvent, useRef } from 'react';

interface Words {
  readonly before: string;
  readonly now: string;
}

/** Words that were typed in what these handlers stand around, also in fields that are gone by now. */
export function useTypedWords() {
  const fields = useRef(new Map<EventTarget, Words>());
  return {
    hasAny: (): boolean => [...fields.current.values()].some(({ before, now }) => before !== now),
    handlers: {
      onFocusCapture: ({ target }: FocusEvent) => {
        if (!isOfWords(target) || fields.current.has(target)) return;
        fields.current.set(target, { before: target.value, now: target.value });
      },
      onInputCapture: ({ target }: FormEvent) => {
        if (!isOfWords(target)) return;
        const before = fields.current.get(target)?.before ?? '';
        fields.current.set(target, { before, now: target.value });
      },
    },
  };
}

const CHOSEN: ReadonlySet<string> = new Set(['checkbox', 'radio', 'file', 'range']);

const isOfWords = (target: EventTarget): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !CHOSEN.has(target.type));
