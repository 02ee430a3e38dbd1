import type { Caller, Role } from '../../../schema/role.ts';
import type { Token } from '../../../schema/token.ts';
import { Refusal } from '../../contract/failures.ts';
import {
  type KeptTemplate,
  type Maker,
  type TokensPort,
  templateLabel,
} from '../../contract/tokens.ts';
import { withTypedErrors } from '../client.ts';
import type { TokenModel } from '../generated/client/models.ts';
import { storable } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { sealEnded, sealToken, tokenRow, tokens } from '../ledger/rights-seal.ts';
import { appendToSecurityLog } from '../ledger/security-entries.ts';
import { refusedTeller } from '../ledger/tell-refused.ts';
import { TOKENS_CHANNEL } from '../notices/listener.ts';
import { jsonOf, type Store, timeOf, timeOrNull } from '../store.ts';

export function createTokenStore(
  { sql: db, prisma: { token } }: Store,
  keys: LedgerKeys,
): TokensPort {
  const isLive = () => ({
    revokedAt: null,
    OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
  });
  const tell = refusedTeller(db, keys);
  const isIntact = (row: TokenModel) => tokens.isIntact(keys, tokenRow(row));
  /** A row that somebody else wrote is no token, and is told of. */
  async function known(row: TokenModel | null): Promise<TokenModel | null> {
    if (row === null || isIntact(row)) return row;
    await tell(`token ${row.name}`, { role: row.role });
    return null;
  }
  const live = async (which: { name: string } | { secretHash: string }) =>
    known(await token.findFirst({ where: { ...which, ...isLive() } }));
  const intact = async (name: string) => known(await token.findUnique({ where: { name } }));
  return withTypedErrors<TokensPort>({
    async add(made, entry) {
      await db.begin(async (tx) => {
        const { name, secretHash, role, createdBy, expiresAt } = made;
        const json = (value: object | null) => (value === null ? null : tx.json(storable(value)));
        const [workspaces, templates] = [json(made.workspaces), json(made.templates)];
        const { count } = await tx`
          INSERT INTO token (name, secret_hash, role, workspaces, templates, created_by, expires_at)
          VALUES (${name}, ${secretHash}, ${role}, ${workspaces}, ${templates}, ${createdBy},
            ${expiresAt})
          ON CONFLICT DO NOTHING`;
        if (count === 0) {
          const detail = `There is or was a token ${name}; records name it.`;
          throw new Refusal('name_taken', detail, { field: 'name' });
        }
        await sealToken(tx, keys, name);
        await appendToSecurityLog(tx, keys, entry);
      });
      return tokenOf(await token.findUniqueOrThrow({ where: { name: made.name } }));
    },

    async list() {
      return (await token.findMany({ orderBy: { name: 'asc' } })).filter(isIntact).map(tokenOf);
    },

    async revoke(name, by, entry) {
      await db.begin(async (tx) => {
        const known = await tx`SELECT name FROM token WHERE name = ${name}`;
        if (known.count === 0) return;
        await tx`
          UPDATE token SET revoked_at = now(), revoked_by = ${by}
          WHERE name = ${name} AND revoked_at IS NULL`;
        await tx`DELETE FROM session WHERE token_name = ${name}`;
        await sealEnded(tx, keys, { tokenName: name });
        await tx`SELECT pg_notify(${TOKENS_CHANNEL}, ${name})`;
        await appendToSecurityLog(tx, keys, entry);
      });
      const revoked = await token.findUnique({ where: { name } });
      return revoked === null ? null : tokenOf(revoked);
    },

    async use(secretHash) {
      const found = await live({ secretHash });
      if (found === null) return null;
      await db`
        UPDATE token SET last_used_at = now() WHERE name = ${found.name}
          AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`;
      return callerOf(found);
    },

    async named(name) {
      const found = await live({ name });
      return found === null ? null : callerOf(found);
    },

    async template(name, label) {
      const found = await live({ name });
      const kept = found === null ? null : templatesOf(found);
      return kept?.find((one) => templateLabel(one) === label) ?? null;
    },

    async makersOf(name) {
      const makers: Maker[] = [];
      let made = await intact(name);
      while (made !== null && !makers.some((maker) => maker.name === made?.createdBy)) {
        const { createdBy } = made;
        made = await intact(createdBy);
        // A token of the settings is no row; its name begins with its role.
        const role = made?.role ?? createdBy.split('-')[0];
        makers.push({ name: createdBy, isAdmin: role === 'admin' });
      }
      return makers;
    },

    async hasRole(roles) {
      const where = { role: { in: [...roles] }, ...isLive() };
      return (await token.findMany({ where })).some(isIntact);
    },
  });
}

const workspacesOf = ({ workspaces }: TokenModel) =>
  workspaces === null ? null : jsonOf<string[]>(workspaces);

const templatesOf = ({ templates }: TokenModel) =>
  templates === null ? null : jsonOf<KeptTemplate[]>(templates);

const callerOf = (row: TokenModel): Caller => ({
  name: row.name,
  role: row.role as Role,
  workspaces: workspacesOf(row),
  templates: templatesOf(row)?.map(templateLabel) ?? null,
  expiresAt: timeOrNull(row.expiresAt),
});

const tokenOf = (row: TokenModel): Token => ({
  ...callerOf(row),
  createdBy: row.createdBy,
  createdAt: timeOf(row.createdAt),
  lastUsedAt: timeOrNull(row.lastUsedAt),
  revokedAt: timeOrNull(row.revokedAt),
  revokedBy: row.revokedBy,
});
