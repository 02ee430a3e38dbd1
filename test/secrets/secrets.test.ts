import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSecrets, unmaskedInput } from '../../src/attempt/secrets.ts';
import { maskLines, maskText, StreamMask } from '../../src/secrets/mask.ts';
import { createMasker } from '../../src/secrets/masker.ts';
import { builtInTools } from '../../src/tools/built-in.ts';
import { createRegistry } from '../../src/tools/registry.ts';
import { maskContent } from '../../src/turn/masked-ports.ts';
import { temporaryFolder, testContext, testEffects } from '../tools/support.ts';

const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEvQIBADANBgkq/hkiG9w0BAQEF\n'.repeat(5)}-----END RSA PRIVATE KEY-----`;

/** Made up here, in pieces, so that nobody takes them for real ones. */
const SHAPES: Record<string, string> = {
  OpenAI: `sk-proj-${'aB3_'.repeat(10)}`,
  Anthropic: `sk-ant-api03-${'xY9-'.repeat(10)}`,
  'GitHub, classic': `ghp_${'a1B2'.repeat(9)}`,
  'GitHub, fine-grained': `github_pat_${'a1B2_'.repeat(12)}`,
  GitLab: `glpat-${'a1B2'.repeat(5)}`,
  'AWS id': `AKIA${'Q2W3'.repeat(4)}`,
  Google: `AIza${'a1B2c'.repeat(7)}`,
  Slack: `xoxb-${'123456789012-'.repeat(2)}abcdef`,
  npm: `npm_${'a1B2'.repeat(9)}`,
  PyPI: `pypi-${'AgEIcHlwaS5vcmc'.repeat(3)}`,
  JWT: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${'a1B2'.repeat(8)}`,
  'private key': KEY,
};

describe.each(Object.entries(SHAPES))('%s', (_, secret) => {
  test('is masked in prose, in JSON, behind an escape, in quotes and at a line of its own', () => {
    for (const text of [
      `it is ${secret}.`,
      JSON.stringify({ text: `it is\n${secret}\n` }),
      `KEY=${secret}`,
      `'${secret}'`,
      `\n${secret}\n`,
    ]) {
      const masked = maskText(text, []);
      expect(masked).toContain('[masked]');
      expect(masked).not.toContain(secret.slice(4, 40));
    }
  });
});

test.each([
  ['curl -H "Authorization: Bearer abcdef0123456789abcdef"', 'Authorization: Bearer [masked]"'],
  ['postgres://app:hunter2@db:5432/x', 'postgres://app:[masked]@db:5432/x'],
  ['https://:p%40ss@host/', 'https://:[masked]@host/'],
  [`aws_secret_access_key = ${'aB3/'.repeat(10)}`, 'aws_secret_access_key = [masked]'],
])('%s keeps what tells what it was', (text, says) => {
  expect(maskText(text, [])).toContain(says);
});

test.each([
  'class="sk-loading-spinner-container"',
  'the bearer authentication-mechanism-of-the-house',
  `https://host:\${PASSWORD}@db/ and https://a:<password>@b/`,
  'eyJhbGciOiJIUzI1NiJ9 alone',
  'A mention of -----BEGIN PRIVATE KEY----- in prose, and more words behind it.'.slice(0, 10),
  `sha256 ${'0123456789abcdef'.repeat(4)}`,
  'http://localhost:7420/v1/goals@main',
])('%s is no secret', (text) => {
  expect(maskText(text, [])).toBe(text);
});

test('the number of lines stays where lines are counted', () => {
  const text = `a\n${KEY}\nb\n`;
  expect(maskLines(text, []).split('\n')).toHaveLength(text.split('\n').length);
  expect(maskLines(text, [])).not.toContain('MIIE');
});

test.each(['lines', 'words'] as const)(
  'in pieces, however they are cut, a stream is masked like the whole, and nothing is lost: %s',
  (grain) => {
    const secrets = ['several words of it', 'hunter2-hunter2'];
    const part = fc.oneof(
      fc.constantFrom(
        ...secrets,
        ...Object.values(SHAPES),
        'Authorization: Bearer abc123def456ghi789',
      ),
      fc.constantFrom('\n', ' ', 'x', 'words in a line\n', '-----', 'several', 'é'),
    );
    const cuts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), cuts, (parts, sizes) => {
        const text = parts.join(' ');
        const stream = new StreamMask(secrets, grain);
        const shown: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = sizes[turn % sizes.length] as number;
          shown.push(stream.push(text.slice(at, at + size)));
          at += size;
        }
        shown.push(stream.end());
        expect(shown.join('')).toBe(maskText(text, secrets));
      }),
      { numRuns: 1000 },
    );
  },
);

test('whole words are given back before their line ends, and a word that announces a secret waits', () => {
  const stream = new StreamMask(['hunter2-hunter2'], 'words');
  expect(stream.push('I read the mod')).toBe('I read the ');
  expect(stream.push('ule with Bearer ')).toBe('module with ');
  expect(stream.push('abc123def456ghi789 and hunter2-hun')).toBe('Bearer [masked] and ');
  expect(stream.push('ter2 aws_secret_access_key = ')).toBe('[masked] ');
  expect(stream.push(`${'a1B2'.repeat(10)} now`)).toBe('aws_secret_access_key = [masked] ');
  expect(stream.end()).toBe('now');
});

test('MSK-5 the lines of a secret of several are secrets, where they tell', () => {
  const lines = ['MIIEvQIBADANBgkqhkiG9w0B', 'AQEFAASCBKcwggSjAgEAAoIB', 'two words', 'short'];
  const mask = createMasker({ DEPLOY_KEY: lines.join('\r\n') });
  const numbered = lines.map((line, at) => `${at + 1}\t${line}`).join('\n');
  expect(mask.text(numbered)).toBe('1\t[masked]\n2\t[masked]\n3\ttwo words\n4\tshort');
});

test('values of the environment are found in other spellings; names of places and common words are none', () => {
  const { text } = createMasker({
    MY_TOKEN: 'pa"ss wörd/1',
    REDIS_URL: 'redis://x:s3cr3t-enough@h',
    KEY_FILE: '/etc/ssl/private.pem',
    PGPASSWORD: 'postgres',
    SHORT_KEY: 'abc',
  });
  const shown = text(
    `${JSON.stringify('pa"ss wörd/1')} ${encodeURIComponent('pa"ss wörd/1')} s3cr3t-enough`,
  );
  expect(shown).toBe('"[masked]" [masked] [masked]');
  const plain = 'postgres at /etc/ssl/private.pem abc';
  expect(text(plain)).toBe(plain);
});

const mask = createMasker({ MY_KEY: 'hunter2"hunter2' });
const call = (input: string) => ({ callId: 't1.s1.1', providerId: 'c', tool: 'read_file', input });

test('arguments are masked however JSON writes them, and known to their own process alone', () => {
  const input = '{"path": "\\u0068unter2\\"hunter2", "k": {"hunter2\\"hunter2": 1}}';
  const stored = maskContent({ text: '', calls: [call(input)] }, mask).calls?.[0];
  expect(stored).toMatchObject({ isMasked: true, input: '{"path":"[masked]","k":{"[masked]":1}}' });
  if (stored === undefined) throw new Error('no call');
  const secrets = createSecrets(mask);
  expect(unmaskedInput(secrets, 'g1', stored)).toBeNull();
  secrets.keep('g1', stored.callId, input);
  expect(unmaskedInput(secrets, 'g1', stored)).toBe(input);
  expect(unmaskedInput(secrets, 'g2', stored)).toBeNull();
  expect(unmaskedInput(undefined, 'g1', call('{}'))).toBe('{}');
});

test('a message without a secret stays the very same object, a signed one with a secret is left out', () => {
  const plain = { text: 'hello', calls: [call('{"path": "a"}')], providerParts: { reasoning: [] } };
  expect(maskContent(plain, mask)).toBe(plain);
  const signed = {
    reasoning: [{ type: 'reasoning', text: `it is ${SHAPES.npm}`, signature: 'x' }],
  };
  expect(maskContent({ text: 'hello', providerParts: signed }, mask)).toEqual({ text: 'hello' });
});

describe('tools', () => {
  const registry = createRegistry(builtInTools, mask);
  async function bench(files: Record<string, string>) {
    const root = await temporaryFolder();
    await mkdir(join(root, 'src'));
    for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text);
    const context = testContext(root, testEffects().effects);
    return {
      read: (path: string) => readFile(join(root, path), 'utf8'),
      async call(name: string, input: object) {
        const parsed = await registry.parse(name, JSON.stringify(input));
        const tool = registry.find(name);
        if (!parsed.ok || !tool) throw new Error(name);
        const plan = await tool.plan?.(parsed.args, context);
        return plan && 'outcome' in plan ? plan : tool.run(parsed.args, context, plan);
      },
    };
  }

  test('no cut and no offset shows a part of a secret', async () => {
    const { call: run } = await bench({
      'key.pem': `first\n${KEY}\nlast\n`,
      'long.txt': `${'x '.repeat(990)}${SHAPES['GitHub, classic']} needle`,
      'longer.txt': `${'x '.repeat(190)}${SHAPES['GitHub, classic']} needle`,
    });
    const part = await run('read_file', { path: 'key.pem', offset: 4, limit: 2 });
    expect(part.text).not.toContain('MIIE');
    expect((await run('read_file', { path: 'key.pem', offset: 9 })).text).toBe('     9\tlast');
    expect((await run('read_file', { path: 'long.txt' })).text).not.toContain('ghp_');
    expect((await run('grep_search', { pattern: 'x ' })).text).not.toContain('ghp_');
    expect((await run('grep_search', { pattern: 'MIIE' })).text).not.toContain('MIIE');
  });

  test('a mask is not written over the secret that it stands for', async () => {
    const env = `A=1\nTOKEN=${SHAPES.npm}\n`;
    const { call: run, read } = await bench({ '.env': env, 'mask.txt': 'no secret\n' });
    const shown = await run('read_file', { path: '.env' });
    expect(shown.text).toContain('TOKEN=[masked]');
    const content = 'A=2\nTOKEN=[masked]\n';
    expect(await run('write_file', { path: '.env', content })).toMatchObject({ outcome: 'failed' });
    const spoils = [{ oldText: 'A=1', newText: 'A=2\nTOKEN=[masked]' }];
    expect(await run('edit_file', { path: '.env', edits: spoils })).toMatchObject({
      outcome: 'failed',
      text: expect.stringContaining('stands for a secret'),
    });
    expect(await read('.env')).toBe(env);
    const edits = [{ oldText: 'A=1', newText: 'A=2' }];
    await run('edit_file', { path: '.env', edits });
    expect(await read('.env')).toBe(env.replace('A=1', 'A=2'));
    await run('write_file', { path: 'mask.txt', content: 'a text about [masked]\n' });
    expect(await read('mask.txt')).toBe('a text about [masked]\n');
  });
});
