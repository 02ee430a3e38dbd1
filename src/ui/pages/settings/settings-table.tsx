import type { ReactNode } from 'react';

/** A table that scrolls sideways where it has to; on phones each row is a card. */
export function SettingsTable(props: {
  readonly label: string;
  /** null = a column of buttons. */
  readonly columns: readonly (string | null)[];
  readonly isDense?: boolean;
  /** Narrow enough to stay a table on phones. */
  readonly isNarrow?: boolean;
  readonly children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keys.
    <div className="table-scroll" tabIndex={0} role="region" aria-label={props.label}>
      <table
        className={`data-table settings-table ${props.isDense === true ? 'dense' : ''} ${
          props.isNarrow === true ? '' : 'cards'
        }`}
      >
        <thead>
          <tr>
            {props.columns.map((name) => (
              <th key={name ?? 'acts'} scope="col">
                {name ?? <span className="visually-hidden">Actions</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </div>
  );
}
