import type { UseQueryResult } from '@tanstack/react-query';
import { day } from '../../view/format.ts';

/** The next due times, in the schedule's own time zone and in UTC. */
export function DueTimes(props: {
  readonly times: UseQueryResult<readonly string[]>;
  readonly timeZone: string;
}) {
  const { times, timeZone } = props;
  const items = times.data;
  return (
    <div className="panel" aria-live="polite">
      <h2>It comes next</h2>
      {items === undefined ? (
        <p className="text-small text-muted">
          {times.isError ? times.error.message : 'As soon as it says when.'}
        </p>
      ) : (
        <ol className="plain-list tabular due-times">
          {items.map((at) => (
            <li key={at}>
              <time dateTime={at}>{inZone(at, timeZone)}</time>{' '}
              {timeZone === '' ? null : <span className="text-small text-muted">{utc(at)}</span>}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

const utc = (at: string): string => `${day(at)} ${at.slice(11, 16)} UTC`;

function inZone(at: string, timeZone: string): string {
  if (timeZone === '') return utc(at);
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' },
      ...{ day: 'numeric', month: 'short', timeZoneName: 'short' },
    });
    return format.format(new Date(at));
  } catch {
    return utc(at);
  }
}
