import { memo, type ReactNode, useLayoutEffect, useRef } from 'react';
import {
  rowsOnScreen,
  type Screen,
  type TerminalRow as TerminalLine,
} from '../../../schema/terminal-rows.ts';
import { IconArrowDown, IconExternalLink, IconPlayerStop } from '../generated/icons.tsx';
import { bytes, plural } from '../view/format.ts';
import { spansOf } from '../view/terminal-text.ts';
import { Button } from './button.tsx';

/** As near to the end as this is at the end. */
const NEAR_END = 24;

const icon = { size: 14, stroke: 1.75, 'aria-hidden': true } as const;

/** The newest lines of a command, in its colours; they stay letters whatever they are. */
export function Terminal(props: {
  readonly command: string;
  /** What stands before and behind the command in its head. */
  readonly mark: ReactNode;
  readonly facts: ReactNode;
  readonly screen: Screen;
  readonly isRunning: boolean;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
  /** Ends it alone; absent where it doesn't run, or nobody may. */
  readonly onStop?: (() => void) | undefined;
  readonly isStopping?: boolean;
  /** Absent while it runs: the record has the whole once it is over. */
  readonly onWhole?: (() => void) | undefined;
  /** Where the whole is kept. */
  readonly place?: string | undefined;
}) {
  const { command, screen, isRunning, isFollowing, onFollow, onWhole } = props;
  const lines = useRef<HTMLPreElement>(null);
  const rows = rowsOnScreen(screen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end moves with each line
  useLayoutEffect(() => {
    if (isFollowing && lines.current !== null) lines.current.scrollTop = lines.current.scrollHeight;
  }, [screen, isFollowing]);
  const look = () => {
    const own = lines.current;
    if (own === null) return;
    const isAtEnd = own.scrollHeight - own.scrollTop - own.clientHeight <= NEAR_END;
    if (isRunning && isAtEnd !== isFollowing) onFollow(isAtEnd);
  };
  return (
    <section className="terminal" aria-label={`Output of ${command}`}>
      <header>
        {props.mark}
        <span className="mono text-strong truncate" title={command}>
          {command}
        </span>
        {props.facts}
        <span className="grow" />
        {isRunning ? (
          <Button
            look="subtle"
            isSmall
            aria-pressed={isFollowing}
            title="Follow the end (f)"
            onClick={() => onFollow(!isFollowing)}
          >
            <IconArrowDown {...icon} />
            {isFollowing ? 'Following' : 'Follow'}
          </Button>
        ) : null}
        {props.onStop === undefined ? null : (
          <Button
            isSmall
            disabled={props.isStopping === true}
            title="Stop this command (.)"
            onClick={props.onStop}
          >
            <IconPlayerStop {...icon} />
            {props.isStopping === true ? 'Stopping…' : 'Stop'}
          </Button>
        )}
        {onWhole === undefined ? null : (
          <Button look="subtle" isSmall title="Whole output (o)" onClick={onWhole}>
            <IconExternalLink {...icon} />
            Whole output
          </Button>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <pre ref={lines} tabIndex={0} role="group" aria-label="Its newest lines" onScroll={look}>
        {rows.map((row) => (
          <Row key={row.key} row={row} />
        ))}
        {rows.length === 0 ? (
          <span className="text-muted">Nothing was heard of its output yet.</span>
        ) : null}
      </pre>
      <footer className="text-small text-muted tabular">
        <span>{heardText(screen)}</span>
        <span className="grow" />
        <span>{props.place ?? 'whole in the record once it ends'}</span>
      </footer>
    </section>
  );
}

/** What the page heard, which may be less than was printed. */
const heardText = ({ lines, characters, open }: Screen): string =>
  `${plural(lines + (open === '' ? 0 : 1), 'line')}, ${bytes(characters)} heard`;

const Row = memo(
  function Row({ row }: { readonly row: TerminalLine }) {
    if (row.isGap) {
      return <span className="terminal-row terminal-gap">… what was printed here is left out</span>;
    }
    const spans = spansOf(row.text);
    return (
      <span className="terminal-row">
        {spans.map(({ text, look }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line keep their order
          <span key={index} className={look}>
            {text}
          </span>
        ))}
        {'\n'}
      </span>
    );
  },
  (before, after) => before.row.text === after.row.text && before.row.isGap === after.row.isGap,
);
