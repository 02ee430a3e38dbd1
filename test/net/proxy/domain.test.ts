import fc from 'fast-check';
import { expect, test } from 'vitest';
import { destinationOf, domainRuleOf, hostOf, namesHost } from '../../../schema/domain.ts';
import { networkSchema } from '../../../schema/network.ts';

const label = fc
  .stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/)
  .filter((one) => !one.startsWith('xn-'));
const name = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));
const rule = (entry: string) => {
  const found = domainRuleOf(entry);
  if (found === null) throw new Error(`${entry} is no domain`);
  return found;
};

test('PRX-12: a name is listed in every spelling of it, and by no other name', () => {
  fc.assert(
    fc.property(name, name, fc.boolean(), (listed, other, isDotted) => {
      const spelled = hostOf(listed.toUpperCase() + (isDotted ? '.' : ''));
      expect(spelled).toBe(listed);
      expect(namesHost(rule(listed), other)).toBe(listed === other);
    }),
  );
});

test('PRX-12: a wildcard lists what has its labels at the end and one more at least', () => {
  fc.assert(
    fc.property(name, label, label, (domain, below, glued) => {
      const wild = rule(`*.${domain}`);
      expect(namesHost(wild, `${below}.${domain}`)).toBe(true);
      expect(namesHost(wild, `${glued}.${below}.${domain}`)).toBe(true);
      expect(namesHost(wild, domain)).toBe(false);
      expect(namesHost(wild, `${glued}${domain}`)).toBe(false);
      // `d.d` and one more `d` end with `d.d` again.
      const behind = `${domain}.${glued}`;
      expect(namesHost(wild, `${below}.${behind}`)).toBe(behind.endsWith(`.${domain}`));
    }),
  );
});

test('PRX-12: whatever is read as a host is read as itself again, and as a URL reads it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webAuthority(), fc.ipV6()), (text) => {
      const host = hostOf(text);
      if (host === null) return;
      expect(hostOf(host)).toBe(host);
      expect(new URL(`http://${text}/`).hostname.replace(/\.$/, '')).toBe(host);
      expect(new URL(`http://${text}/`)).toMatchObject({ username: '', port: '', pathname: '/' });
    }),
  );
});

test.each([
  ['bücher.example', 'xn--bcher-kva.example'],
  ['EXAMPLE.org.', 'example.org'],
  ['127.1', '127.0.0.1'],
  ['0x7f000001', '127.0.0.1'],
  ['[::FFFF:127.0.0.1]', '[::ffff:7f00:1]'],
  ['example.org..', null],
  ['.example.org', null],
  ['exa mple.org', null],
  ['a@example.org', null],
  ['example.org:80', null],
  ['example.org/x', null],
  ['exam%70le.org', null],
  ['exa\u00admple.org', null],
  ['[::1%25eth0]', null],
  [`${'a'.repeat(64)}.org`, null],
  ['1.2.3.4.5', null],
  ['', null],
])('PRX-12: the host %s is %s', (text, host) => {
  expect(hostOf(text)).toBe(host);
});

test.each([
  ['example.org', [443, 80]],
  ['example.org:8443', [8443]],
  ['[2001:db8::1]:443', [443]],
])('PRX-12: %s is for the ports %j', (entry, ports) => {
  expect(rule(entry).ports).toEqual(ports);
});

test.each([
  '*',
  '*.org',
  '*.127.0.0.1',
  'a.*.org',
  '**.example.org',
  'https://example.org',
  'a.org:0',
  'a.org:65536',
  'a.org:080',
])('PRX-13: %s is refused, and the field is named', (entry) => {
  const read = networkSchema.safeParse({ domains: ['example.org', entry] });
  expect(JSON.stringify(read.error?.issues)).toMatch(/"domains",1/);
  expect(JSON.stringify(read.error?.issues)).toContain('is no domain: give a name');
});

test.each([
  'example.org',
  'example.org:',
  'example.org:0',
  'example.org:65536',
  'example.org:80:80',
  'a@example.org:80',
  ':80',
])('PRX-12: %s is no place to connect to', (text) => {
  expect(destinationOf(text)).toBeNull();
});
