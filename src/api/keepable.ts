import { Refusal } from '../contract/failures.ts';

/**
 * Refuses text that the record can't keep as it was given: a rule or a command would then be
 * another one.
 * @throws Refusal invalid_request, or malformed_json for a prototype, with the field
 */
export function assertKeepable(body: unknown): void {
  const open: { readonly field: string; readonly value: unknown }[] = [{ field: '', value: body }];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { field, value } = one;
    if (typeof value === 'string') assertText(field, value);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value).reverse()) {
      if (key === '__proto__') refusePrototype(below(field, key));
      assertText(below(field, 'a key'), key);
      open.push({ field: below(field, key), value: inner });
    }
  }
}

const below = (field: string, key: string): string => (field === '' ? key : `${field}.${key}`);

function assertText(field: string, text: string): void {
  if (text.includes('\0')) refuse(field, 'it holds a NUL character, which is never stored');
  if (/\p{Surrogate}/u.test(text)) refuse(field, 'it holds half of a character (a lone surrogate)');
}

function refusePrototype(field: string): never {
  throw new Refusal('malformed_json', `${field}: no object has a prototype; leave it out.`, {
    field,
  });
}

function refuse(field: string, why: string): never {
  throw new Refusal('invalid_request', `${field || 'body'}: ${why}.`, { field });
}
