import { dateAndTime, day } from '../../view/format.ts';

/** A day, with its time in the title. */
export function Day({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={dateAndTime(at)}>
      {day(at)}
    </time>
  );
}
