import { useRef } from 'react';

/** A value that tints for a moment when it changed; its place stays. */
export function Ticking({ text }: { readonly text: string }) {
  const first = useRef(text);
  const hasChanged = first.current !== text;
  return (
    <span key={text} className={hasChanged ? 'flash' : ''}>
      {text}
    </span>
  );
}
