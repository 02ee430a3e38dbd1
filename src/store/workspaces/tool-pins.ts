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
import { appendToSecurityLog } from '../ledger/security-entries.ts';
import { jsonOf, type Store, timeOrNull } from '../store.ts';

/** For the workers, which meet the servers. */
export const createToolPinStore = (
  { sql: db }: Store,
  onAppended: (goalId: string) => void,
): ToolPinsPort =>
  withTypedErrors<ToolPinsPort>({
    async see(goalId, workspace, offered) {
      const known = await pinsOf(db, workspace);
      const verdict = judgePins(known, offered);
      const changes = changesOf(known, verdict.withheld, verdict.settled);
      const isTold = await db.begin(async (tx) => {
        for (const one of verdict.pinned) await pin(tx, workspace, one);
        for (const one of changes.anew) await withhold(tx, workspace, one);
        for (const { tool } of changes.over) await forget(tx, workspace, tool);
        return await tell(tx, goalId, verdict.withheld);
      });
      if (isTold) onAppended(goalId);
      // Another worker may have been first, with what the server told it.
      const trusted = verdict.pinned.length === 0 ? known : await pinsOf(db, workspace);
      return new Map(trusted.flatMap(({ tool, hash }) => (hash === null ? [] : [[tool, hash]])));
    },
  });

const pinsOf = (db: Store['sql'], workspace: string) =>
  db<SeenPin[]>`
    SELECT server, tool, hash, offered_hash AS "offeredHash"
    FROM tool_pin WHERE workspace = ${workspace}`;

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

async function pin(tx: Transaction, workspace: string, one: OfferedTool): Promise<void> {
  const { server, tool, definition } = one;
  await tx`
    INSERT INTO tool_pin (workspace, server, tool, hash, definition, pinned_at)
    VALUES (${workspace}, ${server}, ${tool}, ${definition.hash},
      ${tx.json(storable(definition))}, now())
    ON CONFLICT DO NOTHING`;
}

async function withhold(tx: Transaction, workspace: string, one: OfferedTool): Promise<void> {
  const { server, tool, definition } = one;
  await tx`
    INSERT INTO tool_pin (workspace, server, tool, offered_hash, offered, offered_at)
    VALUES (${workspace}, ${server}, ${tool}, ${definition.hash},
      ${tx.json(storable(definition))}, now())
    ON CONFLICT (workspace, tool) DO UPDATE SET offered_hash = excluded.offered_hash,
      offered = excluded.offered, offered_at = excluded.offered_at
    WHERE tool_pin.hash IS DISTINCT FROM excluded.offered_hash`;
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
        const { count } = await tx`
          UPDATE tool_pin SET hash = offered_hash, definition = offered, pinned_by = ${entry.who},
            pinned_at = now(), offered_hash = NULL, offered = NULL, offered_at = NULL
          WHERE workspace = ${workspace} AND tool = ${tool} AND offered_hash = ${hash}`;
        if (count > 0) await appendToSecurityLog(tx, keys, entry);
        return count > 0;
      });
      if (!isAccepted) return null;
      const where = { workspace_tool: { workspace, tool } };
      return pinOf(await toolPin.findUniqueOrThrow({ where }));
    },

    async reset(workspace, server, entry) {
      return await db.begin(async (tx) => {
        const { count } = await tx`
          DELETE FROM tool_pin WHERE workspace = ${workspace} AND server = ${server}`;
        if (count > 0) await appendToSecurityLog(tx, keys, entry);
        return count;
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
