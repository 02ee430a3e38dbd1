import { dateAndTime } from '../../view/format.ts';

/** A day, with its time in the title. */
export function Day({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={dateAndTime(at)}>
      {at.slice(0, 10)}
    </time>
  );
}
