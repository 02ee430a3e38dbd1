import type { Config } from '../../contract/config.ts';

/** The service's own secrets, which must never reach a model or a goal's record. */
export function knownSecrets(config: Config): string[] {
  const { databaseUrl, ownerDatabaseUrl, readerDatabaseUrl } = config;
  const { tokens, ledgerKeys, sealedKeys, temporalKeys } = config;
  const apiKey = config.temporal.tls?.apiKey ?? null;
  return [
    ...(apiKey === null ? [] : [apiKey]),
    ...tokens.map(({ token }) => token),
    ...(config.oidcSecret === null ? [] : [config.oidcSecret]),
    ...(config.notices.mail?.password ? [config.notices.mail.password] : []),
    ...ledgerKeys,
    ...sealedKeys,
    ...temporalKeys,
    ...[databaseUrl, ownerDatabaseUrl, readerDatabaseUrl].filter((url) => url !== null),
  ];
}
