import { Link } from 'wouter';
import type { LogEntry } from '../../api/types.ts';
import { PlainButton } from '../../components/button.tsx';
import { clock, dateAndTime, day } from '../../view/format.ts';
import {
  dataWords,
  eventTone,
  eventWords,
  fromText,
  goalOf,
  unnamedBy,
} from '../../view/security-text.ts';
import { toneClass } from '../../view/tone.ts';
import { SettingsTable } from './settings-table.tsx';

const columns = ['Time', 'Event', 'By', 'From', 'On', 'What'];

/** Newest first. Names, paths and values are callers' own words: text, never markup. */
export function SecurityTable(props: {
  readonly entries: readonly LogEntry[];
  readonly onWho: (who: string) => void;
}) {
  return (
    <SettingsTable label="Security log" columns={columns} isDense>
      {props.entries.map((entry) => (
        <EntryRow key={entry.seq} entry={entry} onWho={props.onWho} />
      ))}
    </SettingsTable>
  );
}

function EntryRow(props: { readonly entry: LogEntry; readonly onWho: (who: string) => void }) {
  const { entry } = props;
  const { at, what, who, role, subject } = entry;
  const goal = goalOf(entry);
  return (
    <tr>
      <td className="tabular text-secondary">
        <time dateTime={at} title={dateAndTime(at)}>
          {day(at).slice(5)} {clock(at, 'seconds')}
        </time>
      </td>
      <td>
        <span className={`tag ${toneClass(eventTone(entry))}`}>{eventWords[what]}</span>
      </td>
      <td className="break settings-who" data-label="By">
        {who === null ? (
          <span className="text-muted">{unnamedBy(entry)}</span>
        ) : (
          <>
            <PlainButton
              className="mono link"
              title={`Only entries of ${who}`}
              onClick={() => props.onWho(who)}
            >
              {who}
            </PlainButton>{' '}
            <span className="text-muted">{role}</span>
          </>
        )}
      </td>
      <td className="mono text-secondary" data-label="From">
        {fromText(entry)}
      </td>
      <td className="mono break" data-label="On">
        {goal === null ? (
          subject
        ) : (
          <Link className="link" href={`/goals/${goal}`}>
            {subject}
          </Link>
        )}
      </td>
      <td className="break text-secondary" data-label="What">
        {dataWords(entry)}
      </td>
    </tr>
  );
}
