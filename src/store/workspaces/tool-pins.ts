import type { ToolDefinition, ToolPin } from '../../../schema/tool-pin.ts';
import type {
  OfferedTool,
  SeenPin,
  ToolPinsOfPeople,
  ToolPinsPort,
} from '../../contract/tool-pins.ts';
import { judgePins } from '../../policy/tool-pins.ts';
import { type Transaction, withTypedErrors } from '../client.ts';
import { appendEvents } from '../events.ts';
import type { ToolPinModel } from '../generated/client/models.ts';
import { storable } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { lockPins, readPins, sealPins } from '../ledger/pin-seal.ts';
import { appendToSecurityLog } from '../ledger/security-entries.ts';
import { refusedTeller } from '../ledger/tell-refused.ts';
import type { Row } from '../row.ts';
import { jsonOf, type Store, timeOrNull } from '../store.ts';

/** For the workers, which meet the servers. */
export const createToolPinStore = (
  { sql: db }: Store,
  keys: LedgerKeys,
  onAppended: (goalId: string) => void,
): ToolPinsPort => {
  const tellAltered = refusedTeller(db, keys);
  return withTypedErrors<ToolPinsPort>({
    async see(goalId, workspace, offered) {
      const known = await readPins(db, keys, workspace, offered);
      const verdict = judgePins(known, offered);
      const changes = changesOf(known, verdict.withheld, verdict.settled);
      for (const { tool, isAltered } of known)
        if (isAltered) await tellAltered(`tool ${tool}`, { workspace });
      const isTold = await db.begin(async (tx) => {
        if (verdict.pinned.length > 0) await lockPins(tx, workspace);
        const pinned: string[] = [];
        for (const one of verdict.pinned) if (await pin(tx, workspace, one)) pinned.push(one.tool);
        await sealPins(tx, keys, workspace, pinned);
        for (const one of changes.anew) await withhold(tx, keys, workspace, one);
        for (const { tool } of changes.over) await forget(tx, workspace, tool);
        return await tell(tx, goalId, verdict.withheld);
      });
      if (isTold) onAppended(goalId);
      // Another worker may have been first, with what the server told it.
      const trusted =
        verdict.pinned.length === 0 ? known : await readPins(db, keys, workspace, offered);
      return new Map(trusted.flatMap(({ tool, hash }) => (hash === null ? [] : [[tool, hash]])));
    },
  });
};

/** What the rows don't say yet: most slices change nothing. */
function changesOf(
  known: readonly SeenPin[],
  withheld: readonly OfferedTool[],
  settled: readonly OfferedTool[],
) {
  const waiting = new Map(known.map(({ tool, offeredHash }) => [tool, offeredHash]));
  return {
    anew: withheld.filter(({ tool, definition }) => waiting.get(tool) !== definition.hash),
    over: settled.filter(({ tool }) => (waiting.get(tool) ?? null) !== null),
  };
}

/** @returns false where another worker was first */
async function pin(tx: Transaction, workspace: string, one: OfferedTool): Promise<boolean> {
  const { server, tool, definition } = one;
  const { count } = await tx`
    INSERT INTO tool_pin (workspace, server, tool, hash, definition, pinned_at)
    VALUES (${workspace}, ${server}, ${tool}, ${definition.hash},
      ${tx.json(storable(definition))}, now())
    ON CONFLICT DO NOTHING`;
  return count > 0;
}

/** Another worker may have seen it accepted meanwhile, so the row is looked at under the lock. */
async function withhold(
  tx: Transaction,
  keys: LedgerKeys,
  workspace: string,
  one: OfferedTool,
): Promise<void> {
  const { server, tool, definition } = one;
  await lockPins(tx, workspace);
  const [pinned] = await readPins(tx, keys, workspace, [one]).then((pins) =>
    pins.filter((known) => known.tool === tool),
  );
  if (pinned?.hash === definition.hash) return;
  await tx`
    INSERT INTO tool_pin (workspace, server, tool, offered_hash, offered, offered_at)
    VALUES (${workspace}, ${server}, ${tool}, ${definition.hash},
      ${tx.json(storable(definition))}, now())
    ON CONFLICT (workspace, tool) DO UPDATE SET offered_hash = excluded.offered_hash,
      offered = excluded.offered, offered_at = excluded.offered_at`;
  // A row that came now says that nobody trusted it yet.
  if (pinned === undefined) await sealPins(tx, keys, workspace, [tool]);
}

async function forget(tx: Transaction, workspace: string, tool: string): Promise<void> {
  await tx`
    UPDATE tool_pin SET offered_hash = NULL, offered = NULL, offered_at = NULL
    WHERE workspace = ${workspace} AND tool = ${tool}`;
}

/** Each goal is told once of each definition. */
async function tell(
  tx: Transaction,
  goalId: string,
  withheld: readonly OfferedTool[],
): Promise<boolean> {
  if (withheld.length === 0) return false;
  const told = await tx<{ hash: string }[]>`
    SELECT data->>'hash' AS hash FROM event
    WHERE goal_id = ${goalId} AND type = 'tool.withheld'`;
  const known = new Set(told.map(({ hash }) => hash));
  const fresh = withheld.filter(({ definition }) => !known.has(definition.hash));
  const events = fresh.map(({ server, tool, definition: { hash } }) => ({
    type: 'tool.withheld',
    data: { server, tool, hash },
  }));
  if (events.length > 0) await appendEvents(tx, goalId, events);
  return events.length > 0;
}

/** For the API, where people look at them. */
export const createToolPinsOfPeople = (
  { sql: db, prisma: { toolPin } }: Store,
  keys: LedgerKeys,
): ToolPinsOfPeople =>
  withTypedErrors<ToolPinsOfPeople>({
    async list() {
      const orderBy = [{ workspace: 'asc' as const }, { tool: 'asc' as const }];
      return (await toolPin.findMany({ orderBy })).map(pinOf);
    },

    async accept({ workspace, tool, hash }, entry) {
      const isAccepted = await db.begin(async (tx) => {
        await lockPins(tx, workspace);
        const { count } = await tx`
          UPDATE tool_pin SET hash = offered_hash, definition = offered, pinned_by = ${entry.who},
            pinned_at = now(), offered_hash = NULL, offered = NULL, offered_at = NULL
          WHERE workspace = ${workspace} AND tool = ${tool} AND offered_hash = ${hash}`;
        if (count > 0) {
          await sealPins(tx, keys, workspace, [tool]);
          await appendToSecurityLog(tx, keys, entry);
        }
        return count > 0;
      });
      if (!isAccepted) return null;
      const where = { workspace_tool: { workspace, tool } };
      return pinOf(await toolPin.findUniqueOrThrow({ where }));
    },

    async reset(workspace, server, entry) {
      return await db.begin(async (tx) => {
        await lockPins(tx, workspace);
        const gone = await tx<Row<'tool_pin', 'tool'>[]>`
          DELETE FROM tool_pin WHERE workspace = ${workspace} AND server = ${server}
          RETURNING tool`;
        const tools = gone.map(({ tool }) => tool);
        await sealPins(tx, keys, workspace, tools);
        if (tools.length > 0) await appendToSecurityLog(tx, keys, entry);
        return tools.length;
      });
    },
  });

const pinOf = ({
  workspace,
  server,
  tool,
  definition,
  offered,
  ...row
}: ToolPinModel): ToolPin => ({
  ...{ workspace, server, tool },
  pinned: definition === null ? null : jsonOf<ToolDefinition>(definition),
  pinnedBy: row.pinnedBy,
  pinnedAt: timeOrNull(row.pinnedAt),
  offered: offered === null ? null : jsonOf<ToolDefinition>(offered),
  offeredAt: timeOrNull(row.offeredAt),
});
