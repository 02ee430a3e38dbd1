import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgePins } from '../../src/policy/tool-pins.ts';

const names = fc.constantFrom('a', 'b', 'c');
const offers = fc.uniqueArray(
  fc.record({ server: names, name: names, hash: names, isNamed: fc.boolean() }),
  { selector: ({ server, name }) => `${server} ${name}` },
);
const pins = fc.uniqueArray(
  fc.record({ server: names, name: names, hash: fc.option(names), waits: fc.option(names) }),
  { selector: ({ server, name }) => `${server} ${name}` },
);
const toolOf = ({ server, name }: { server: string; name: string }) => `mcp__${server}__${name}`;

test('MCP-7 no definition is trusted that a known server came up with later, unless the settings name the tool', () => {
  fc.assert(
    fc.property(pins, offers, (known, given) => {
      const offered = given.map((one) => ({
        ...{ server: one.server, tool: toolOf(one), isNamed: one.isNamed },
        definition: { hash: one.hash, description: '', readOnly: false, inputSchema: {} },
      }));
      const before = known.map((pin) => ({
        ...{ server: pin.server, tool: toolOf(pin), hash: pin.hash, offeredHash: pin.waits },
      }));
      const { pinned, withheld, settled } = judgePins(before, offered);
      expect(pinned.length + withheld.length + settled.length).toBe(offered.length);
      for (const { server, tool, isNamed } of pinned) {
        expect(before.some((pin) => pin.tool === tool)).toBe(false);
        expect(isNamed || !before.some((pin) => pin.server === server)).toBe(true);
      }
      for (const { tool, definition } of settled) {
        expect(before.find((pin) => pin.tool === tool)?.hash).toBe(definition.hash);
      }
    }),
  );
});
