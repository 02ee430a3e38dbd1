const SECRET_NAME =
  /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|DATABASE_URL|(^|_)(PASS|AUTH|DSN)$/i;
/** Secrets that sign webhooks, and URLs of Slack, which are secrets themselves. */
const NOTIFY_NAME = /^GOALKEEPER_NOTIFY_(?!ALLOW$)/;
/** Variables with these names hold a place, not a secret. */
const PLACE_NAME = /_(FILE|PATH|DIR|SOCK)$/i;
const URL_PASSWORD = /:\/\/[^\s:/?#@]*:([^\s@/]+)@/g;
const LEAST_CHARACTERS = 8;
/** A shorter line, or one with blanks, may stand anywhere. */
const KEY_LINE = /^\S{16,}$/;
/** Well-known passwords are not masked, because they also occur as ordinary words. */
const KNOWN_TO_ALL = /^(postgres|postgresql|password|changeme|development|production|localhost)$/i;

/** Longest first, so that a secret that contains another one is masked whole. */
export function secretValues(env: NodeJS.ProcessEnv, given: readonly string[]): string[] {
  const values = Object.entries(env).flatMap(([name, value = '']) => [
    ...(isSecretName(name) ? partsOf(value) : []),
    ...passwordsIn(value),
  ]);
  const all = [...values, ...given.flatMap((value) => [value, ...passwordsIn(value)])]
    .map((value) => value.trim())
    .flatMap((value) => [value, ...linesOf(value)])
    .filter((value) => value.length >= LEAST_CHARACTERS && !KNOWN_TO_ALL.test(value));
  return [...new Set(all)].sort((a, b) => b.length - a.length);
}

const isSecretName = (name: string): boolean =>
  (SECRET_NAME.test(name) || NOTIFY_NAME.test(name)) && !PLACE_NAME.test(name);

/** Lists such as `role:token,role:token` hold several. */
function partsOf(value: string): string[] {
  return [value, ...value.split(',').map((part) => part.replace(/^\w+:/, ''))];
}

/** Programs show a key of several lines one by one: numbered, as a difference, as what matches. */
const linesOf = (value: string): string[] =>
  value.includes('\n') ? value.split(/\s*\n\s*/).filter((line) => KEY_LINE.test(line)) : [];

function passwordsIn(value: string): string[] {
  return [...value.matchAll(URL_PASSWORD)].flatMap(([, password = '']) => [
    password,
    decoded(password),
  ]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
