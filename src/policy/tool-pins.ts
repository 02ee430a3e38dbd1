import type { OfferedTool, SeenPin } from '../contract/tool-pins.ts';

export interface PinVerdict {
  /** Trusted from now on. */
  readonly pinned: readonly OfferedTool[];
  /** Waits for a person. */
  readonly withheld: readonly OfferedTool[];
  /** The server says again what is trusted. */
  readonly settled: readonly OfferedTool[];
}

/**
 * A server's tools are trusted when a workspace first meets it, because its operator configured it
 * then; a tool that the settings name is trusted when it first comes. All that a server says later
 * is its own word. A tool that is gone is no change.
 *
 * @param known of the workspace, also of servers that offer nothing now
 */
export function judgePins(known: readonly SeenPin[], offered: readonly OfferedTool[]): PinVerdict {
  const servers = new Set(known.map(({ server }) => server));
  const byTool = new Map(known.map((pin) => [pin.tool, pin]));
  const stateOf = (one: OfferedTool): keyof PinVerdict => {
    const pin = byTool.get(one.tool);
    if (pin === undefined) return one.isNamed || !servers.has(one.server) ? 'pinned' : 'withheld';
    return pin.hash === one.definition.hash ? 'settled' : 'withheld';
  };
  const of = (state: keyof PinVerdict) => offered.filter((one) => stateOf(one) === state);
  return { pinned: of('pinned'), withheld: of('withheld'), settled: of('settled') };
}
