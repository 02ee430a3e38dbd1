import { useEffect, useRef, useState } from 'react';
import { IconSearch } from '../generated/icons.tsx';
import { useKeys } from '../shell/keys.ts';
import { fits } from '../view/text-length.ts';
import { TextNotes } from './text-field.tsx';

/** Short enough to feel live, long enough not to ask for every letter. */
const PAUSE_MS = 200;
const MOST_LETTERS = 200;

export function SearchField(props: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [text, setText] = useState(props.value);
  useKeys({ '/': () => input.current?.focus() });
  useEffect(() => setText(props.value), [props.value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    if (fits(value, MOST_LETTERS)) {
      timer.current = setTimeout(() => props.onChange(value), PAUSE_MS);
    }
  };
  return (
    <>
      <label className="field search">
        <IconSearch size={14} stroke={1.75} aria-hidden="true" />
        <input
          ref={input}
          type="search"
          placeholder={props.placeholder}
          aria-label={props.label}
          value={text}
          aria-invalid={!fits(text, MOST_LETTERS)}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <kbd className="desktop-only">/</kbd>
      </label>
      <TextNotes text={text} most={MOST_LETTERS} />
    </>
  );
}
