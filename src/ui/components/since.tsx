import { useNow } from '../live/now.ts';
import { ago, dateAndTime } from '../view/format.ts';

/** How long ago, ticking; not announced. */
export function Since({ at, suffix = '' }: { readonly at: string; readonly suffix?: string }) {
  const text = ago(at, useNow());
  return (
    <time dateTime={at} title={dateAndTime(at)} aria-live="off">
      {text === 'now' ? text : `${text}${suffix}`}
    </time>
  );
}
