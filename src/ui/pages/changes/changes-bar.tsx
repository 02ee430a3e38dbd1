import type { Range } from '../../api/changes.ts';
import type { Changes } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import type { DiffLayout } from '../../components/diff/diff.tsx';
import { LineCounts } from '../../components/diff/line-counts.tsx';
import { Segmented } from '../../components/segmented.tsx';
import {
  IconChevronRight,
  IconCopy,
  IconGitMerge,
  IconHistory,
  IconRefresh,
} from '../../generated/icons.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import type { Place } from '../../view/change-tree.ts';
import { clock } from '../../view/format.ts';

const icon = { size: 14, stroke: 1.75, 'aria-hidden': true } as const;

/** What is compared, how much it is, and what can be done with it. */
export function ChangesBar(props: {
  readonly places: readonly Place[];
  readonly range: Range;
  readonly onRange: (range: Range) => void;
  readonly total: Changes['total'] | undefined;
  readonly lookedAt: number;
  readonly onLook: () => void;
  readonly layout: DiffLayout;
  readonly onLayout: (layout: DiffLayout) => void;
  readonly onPatch: () => void;
  readonly onRewind: () => void;
  /** Null: the goal has no branch to bring in. */
  readonly onApply: (() => void) | null;
}) {
  const { places, range, total, lookedAt } = props;
  const mayAct = useMayAct();
  const now = lookedAt === 0 ? 'Now' : `Now, ${clock(lookedAt)}`;
  return (
    <div className="changes-bar">
      <div className="row changes-range">
        <span className="text-small text-muted desktop-only">From</span>
        <PlaceField
          label="From"
          places={places}
          value={range.from}
          onChange={(from) => props.onRange({ ...range, from })}
        />
        <IconChevronRight {...icon} />
        <PlaceField
          label="To"
          places={[...places.slice(1), { name: 'now', words: now }]}
          value={range.to}
          onChange={(to) => props.onRange({ ...range, to })}
        />
        <Button look="subtle" isIcon isSmall aria-label="Look again" onClick={props.onLook}>
          <IconRefresh {...icon} />
        </Button>
      </div>
      {total === undefined ? null : (
        <span className="text-small tabular text-secondary">
          <b>{total.files}</b> {total.files === 1 ? 'file' : 'files'} <LineCounts counts={total} />
          {total.beyond === 0 ? null : (
            <span className="text-muted">, {total.beyond} beyond scope</span>
          )}
        </span>
      )}
      <span className="grow" />
      <span className="wide-only">
        <Segmented
          label="Layout of the diff"
          choices={[
            ['unified', 'Unified'],
            ['split', 'Split'],
          ]}
          chosen={props.layout}
          onChoose={props.onLayout}
        />
      </span>
      <Button isSmall onClick={props.onPatch} title="Copy the patch of what is in scope (c)">
        <IconCopy {...icon} />
        Copy patch
      </Button>
      {mayAct ? (
        <Button isSmall onClick={props.onRewind}>
          <IconHistory {...icon} />
          Rewind…
        </Button>
      ) : null}
      {mayAct && props.onApply !== null ? (
        <Button isSmall look="primary" onClick={props.onApply}>
          <IconGitMerge {...icon} />
          Apply branch…
        </Button>
      ) : null}
    </div>
  );
}

function PlaceField(props: {
  readonly label: string;
  readonly places: readonly Place[];
  readonly value: string;
  readonly onChange: (name: string) => void;
}) {
  return (
    <select
      className="field"
      aria-label={props.label}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    >
      {props.places.map(({ name, words }) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </select>
  );
}
