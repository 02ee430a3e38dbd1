/** Without its query, which may hold a secret. */
export function shownUrl(url: string): string {
  const bare = url.replace(/[?#].*$/s, '');
  return bare === url ? url : `${bare}?…`;
}

/** Without its path either. */
export function originOf(url: string): string {
  return `${/^[a-z][\w+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? ''}/…`;
}
