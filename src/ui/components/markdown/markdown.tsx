import { type ComponentType, useEffect, useState } from 'react';

type Rendered = ComponentType<{ readonly text: string }>;

let loaded: Rendered | null = null;

/** More than this is shown as it is. */
const MOST = 24_000;

/** A model's words. Until the code that sets them is there, and without it, they are plain. */
export function Markdown({ text }: { readonly text: string }) {
  const [View, setView] = useState<Rendered | null>(() => loaded);
  useEffect(() => {
    if (View !== null) return;
    let isGone = false;
    import('./rendered.tsx').then(
      (code) => {
        loaded = code.Rendered;
        if (!isGone) setView(() => code.Rendered);
      },
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [View]);
  if (View === null || text.length > MOST) return <p className="model-text">{text}</p>;
  return <View text={text} />;
}
