/** Without its query, which may hold a secret. */
export function shownUrl(url: string): string {
  const bare = url.replace(/[?#].*$/s, '');
  return bare === url ? url : `${bare}?…`;
}

/** Without its path either; of a Slack channel or an address the kind alone. */
export function originOf(url: string): string {
  const [kind] = /^(?:slack|mailto):/.exec(url) ?? [];
  if (kind !== undefined) return `${kind}…`;
  return `${/^[a-z][\w+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? ''}/…`;
}
