/**
 * The forms in which programs write a value of their own accord, in headers, dumps and logs, and
 * which anybody undoes in one step. What somebody does to a value in order to hide it has no end
 * and is not looked for: reversed, split, encrypted.
 */
export interface SecretForms {
  /** As they stand in a text. */
  readonly plain: readonly string[];
  /** In letters and digits without blanks, which programs wrap into lines. */
  readonly encoded: readonly string[];
}

export function formsOf(secrets: readonly string[]): SecretForms {
  const longestFirst = (texts: readonly string[]) =>
    [...new Set(texts)].sort((a, b) => b.length - a.length);
  return {
    plain: longestFirst(secrets.flatMap((value) => [value, ...inJson(value), ...inUrls(value)])),
    encoded: longestFirst(secrets.flatMap((value) => [...inBase64(value), ...inHex(value)])),
  };
}

/**
 * What writers of JSON spell as codes: nothing; what isn't ASCII (Python, PHP); what means something
 * in HTML (Go, Gson); all of these (.NET).
 */
const CODED = [
  /(?!)/g,
  /[^\x20-\x7e]/g,
  /[<>&\u2028\u2029]/g,
  /[<>&'=\u2028\u2029]/g,
  /[^\x20-\x7e]|[<>&'+`]|\\"/g,
];

function inJson(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const forms = CODED.flatMap((letters) => [
    json.replace(letters, (found) => codesOf(found)),
    json.replace(letters, (found) => codesOf(found).toUpperCase().replaceAll('U', 'u')),
  ]);
  return forms.flatMap((form) => [form, form.replaceAll('/', '\\/')]);
}

/** An escaped quote is the quote. */
const codesOf = (found: string): string =>
  found
    .replace(/^\\"$/, '"')
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** With what libraries leave as it is, and with both cases of the digits. */
function inUrls(value: string): string[] {
  const text = value.replace(/\p{Surrogate}/gu, '\uFFFD');
  const uri = encodeURIComponent(text);
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  const strict = uri.replace(/[!'()*]/g, (letter) => `%${hexOf(letter).toUpperCase()}`);
  const forms = [uri, form, strict, strict.replaceAll('%2F', '/'), strict.replaceAll('%20', '+')];
  return forms.flatMap((form) => [form, form.replace(/%../g, (code) => code.toLowerCase())]);
}

/**
 * What is the same whatever stands around the value, for each of the three places in a group of
 * three bytes where it can begin; in both alphabets.
 */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((offset) => {
    const all = Buffer.concat([Buffer.alloc(offset), bytes]);
    const whole = all.toString('base64');
    const core = whole.slice(Math.ceil((offset * 8) / 6), Math.floor((all.length * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function inHex(value: string): string[] {
  const hex = hexOf(value);
  return [hex, hex.toUpperCase()];
}

const hexOf = (value: string): string => Buffer.from(value).toString('hex');
