import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config.ts';
import type { Config, Environment } from '../../src/contract/config.ts';
import { refusalOf } from './refusal.ts';

let folder: string;
const secret = 'a-token-of-some-length';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'goalkeeper-config-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function load(environment: Environment = {}): Config {
  return loadConfig({ GOALKEEPER_HOME: join(folder, 'home'), ...environment });
}

const refusal = (environment: Environment) => refusalOf(() => load(environment));

test('an empty environment means embedded servers, the loopback and one kept admin token', () => {
  const config = load();
  expect(config).toMatchObject({
    databaseUrl: null,
    temporal: { address: null, namespace: 'default' },
    host: '127.0.0.1',
    port: 7420,
    isLoopback: true,
  });
  const kept = readFileSync(join(config.home, 'token'), 'utf8').trim();
  expect(config.tokens).toEqual([{ role: 'admin', token: kept }]);
  expect(statSync(join(config.home, 'token')).mode & 0o777).toBe(0o600);
  expect(load().tokens).toEqual(config.tokens);
});

test('REC-53 the home is nobody else’s to see; who may pass through it still may', () => {
  const home = join(folder, 'home');
  load();
  expect(statSync(home).mode & 0o777).toBe(0o700);
  chmodSync(home, 0o775);
  load();
  expect(statSync(home).mode & 0o777).toBe(0o711);
  // A folder that serves others too is left as it is.
  chmodSync(home, 0o1777);
  load();
  expect(statSync(home).mode & 0o7777).toBe(0o1777);
});

test('anchors have a place, a key that signs them, and a secret where they are posted', () => {
  const key = { GOALKEEPER_LEDGER_KEY: 'a-key-of-the-service' };
  const places = 'file:/a/b, git:/repo#anchors,https://x.example/y';
  const secret = { GOALKEEPER_ANCHORS_SECRET: 'a-secret-of-the-hook' };
  expect(load().anchors).toEqual({ places: [], secret: null });
  expect(load({ ...key, ...secret, GOALKEEPER_ANCHORS: places }).anchors).toEqual({
    places: ['file:/a/b', 'git:/repo#anchors', 'https://x.example/y'],
    secret: 'a-secret-of-the-hook',
  });
  for (const environment of [
    { GOALKEEPER_ANCHORS: 'file:/a' },
    { ...key, GOALKEEPER_ANCHORS: places },
    { ...key, GOALKEEPER_ANCHORS: 'file:relative' },
    { ...key, GOALKEEPER_ANCHORS: 'git:/repo' },
    { ...key, ...secret, GOALKEEPER_ANCHORS: 'http://x.example' },
  ])
    expect(refusal(environment).variable).toBe('GOALKEEPER_ANCHORS');
});

test('how long a model may be silent and how much it may send are settings, refused when they make no sense', () => {
  expect(load().models).toMatchObject({ patience: {} });
  const { models } = load({
    GOALKEEPER_MODEL_SILENCE_SECONDS: '20',
    GOALKEEPER_MODEL_OUTPUT_SECONDS: '120',
    GOALKEEPER_MODEL_RESPONSE_BYTES: '1000000',
  });
  expect(models.patience).toEqual({
    firstByteTimeoutMs: 20_000,
    idleTimeoutMs: 20_000,
    outputTimeoutMs: 120_000,
  });
  expect(models.mostBytes).toBe(1_000_000);
  for (const value of ['0', '-1', '1.5', 'NaN', '1e9']) {
    for (const name of ['SILENCE_SECONDS', 'OUTPUT_SECONDS']) {
      const variable = `GOALKEEPER_MODEL_${name}`;
      expect(refusal({ [variable]: value }).variable).toBe(variable);
    }
  }
  const few = refusal({ GOALKEEPER_MODEL_RESPONSE_BYTES: '100' });
  expect(few.message).toContain('from 65536 to');
});

test('GOALKEEPER_LEDGER_KEY names the key and the ones before it, and is refused when it is short', () => {
  expect(load().ledgerKeys).toEqual([]);
  const list = `${secret}, the-key-before-it`;
  expect(load({ GOALKEEPER_LEDGER_KEY: list }).ledgerKeys).toEqual([secret, 'the-key-before-it']);
  const refused = refusal({ GOALKEEPER_LEDGER_KEY: 'short' });
  expect(refused.variable).toBe('GOALKEEPER_LEDGER_KEY');
  expect(refused.message).not.toContain('short');
});

test('a token file that others could read is closed again', () => {
  const [grant] = load().tokens;
  const file = join(folder, 'home', 'token');
  rmSync(file);
  writeFileSync(file, `${grant?.token}\n`, { mode: 0o644 });
  load();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each([
  ['DATABASE_URL', 'mysql://x/y'],
  ['TEMPORAL_ADDRESS', 'http://localhost:7233'],
  ['GOALKEEPER_PORT', '70000'],
  ['GOALKEEPER_PORT', '12.5'],
  ['GOALKEEPER_START_SECONDS', 'soon'],
  ['GOALKEEPER_DRAIN_SECONDS', '-1'],
  ['GOALKEEPER_WORKER_HEALTH_PORT', '70000'],
  ['GOALKEEPER_MODEL', 'gpt'],
  ['GOALKEEPER_PRICES', '/does/not/exist.json'],
  ['GOALKEEPER_LOG', 'loud'],
  ['GOALKEEPER_SANDBOX', 'yes'],
  ['GOALKEEPER_APPROVERS', 'me'],
  ['GOALKEEPER_COMMAND_LIMITS', '{"memory":1}'],
  ['GOALKEEPER_COMMAND_LIMITS', 'much'],
  ['OPENAI_COMPATIBLE_BASE_URL', 'localhost:11434'],
  ['GOOGLE_GENERATIVE_AI_BASE_URL', 'gate.example.com'],
  ['GOALKEEPER_TOKENS', `root:${secret}`],
  ['GOALKEEPER_TOKENS', secret],
  ['GOALKEEPER_TOKENS', 'admin:short'],
  ['GOALKEEPER_TOKENS', `admin:${secret},viewer:${secret}`],
])('%s=%s is refused by name, with the way out', (variable, value) => {
  const error = refusal({ [variable]: value });
  expect(error.variable).toBe(variable);
  expect(error.message).toContain(error.wayOut);
  expect(error.wayOut.length).toBeGreaterThan(10);
});

test('a refusal never repeats a secret', () => {
  expect(refusal({ DATABASE_URL: 'mysql://u:hunter2@h/d' }).message).not.toContain('hunter2');
  expect(refusal({ GOALKEEPER_TOKENS: `root:${secret}` }).message).not.toContain(secret);
});

test('an empty variable counts as unset', () => {
  expect(load({ DATABASE_URL: '', GOALKEEPER_PORT: '' })).toMatchObject({
    databaseUrl: null,
    port: 7420,
  });
});

test('a token may hold colons, and blanks around entries do not matter', () => {
  const { tokens } = load({ GOALKEEPER_TOKENS: ` agent:${secret}:1 , viewer:${secret}:2,` });
  expect(tokens).toEqual([
    { role: 'agent', token: `${secret}:1` },
    { role: 'viewer', token: `${secret}:2` },
  ]);
});

test.each(['0.0.0.0', '::', '192.168.1.4', 'example.org', '127.evil.org'])(
  'listening on %s without tokens is refused before anything is made',
  (host) => {
    expect(refusal({ GOALKEEPER_HOST: host }).variable).toBe('GOALKEEPER_HOST');
    expect(existsSync(join(folder, 'home'))).toBe(false);
    expect(load({ GOALKEEPER_HOST: host, GOALKEEPER_TOKENS: `admin:${secret}` }).isLoopback).toBe(
      false,
    );
  },
);

test.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1'])('%s is the loopback', (host) => {
  expect(load({ GOALKEEPER_HOST: host }).isLoopback).toBe(true);
});

test('a home inside of a git work tree is warned about', () => {
  expect(load().warnings).toEqual([]);
  mkdirSync(join(folder, '.git'));
  expect(load().warnings.join()).toContain(folder);
});

test('the default home follows the XDG data folder', () => {
  const xdg = loadConfig({ XDG_DATA_HOME: folder });
  expect(xdg.home).toBe(join(folder, 'goalkeeper'));
});

test('a home that is a file is refused by name', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(refusal({ GOALKEEPER_HOME: file }).variable).toBe('GOALKEEPER_HOME');
});

test('GOALKEEPER_TOOL_POLICY and GOALKEEPER_NOTIFY hold a list, or name a file that does', () => {
  const rules = [{ tool: 'run_command', command: 'curl', decision: 'deny' }];
  const targets = [{ url: 'https://example.com/x', secretEnv: 'GOALKEEPER_NOTIFY_SECRET' }];
  const file = join(folder, 'rules.json');
  writeFileSync(file, JSON.stringify(rules));
  const { service } = load({
    GOALKEEPER_TOOL_POLICY: file,
    GOALKEEPER_NOTIFY: JSON.stringify(targets),
    GOALKEEPER_ALLOWED_ADDRESSES: '127.0.0.1',
    GOALKEEPER_NOTIFY_ALLOW: '10.0.0.0/8',
  });
  expect(service).toEqual({
    toolRules: rules,
    notify: targets,
    allowedAddresses: ['127.0.0.1', '10.0.0.0/8'],
    mcpServers: {},
    agents: {},
  });
  expect(load().service).toEqual({
    toolRules: [],
    notify: [],
    allowedAddresses: [],
    mcpServers: {},
    agents: {},
  });
});

test.each([
  ['GOALKEEPER_TOOL_POLICY', '[{"tool":"run_command","decision":"perhaps"}]'],
  ['GOALKEEPER_TOOL_POLICY', '[oops'],
  ['GOALKEEPER_TOOL_POLICY', '/nowhere/rules.json'],
  ['GOALKEEPER_NOTIFY', '[{"url":"https://example.com/x"}]'],
  ['GOALKEEPER_NOTIFY', '[{"url":"https://127.0.0.1/x","secret":"a-secret-of-some-length"}]'],
  ['GOALKEEPER_NOTIFY_ALLOW', 'everything'],
  ['GOALKEEPER_ALLOWED_ADDRESSES', '10.0.0.0/8, everything'],
])('%s is refused without repeating it: %s', (variable, value) => {
  const refused = refusal({ [variable]: value });
  expect(refused.variable).toBe(variable);
  expect(refused.message).not.toContain('a-secret-of-some-length');
});

test('SEC-18: certificates or an API key switch TLS to Temporal on, half a pair is refused, and off is off', () => {
  expect(load().temporal.tls).toBe(null);
  expect(load({ TEMPORAL_API_KEY: 'k' }).temporal.tls).toMatchObject({ apiKey: 'k', client: null });
  expect(load({ TEMPORAL_API_KEY: 'k', TEMPORAL_TLS: 'off' }).temporal.tls).toBe(null);
  const half = refusal({ TEMPORAL_TLS_CLIENT_CERT_PATH: 'client.pem' });
  expect(half.message).toContain('TEMPORAL_TLS_CLIENT_KEY_PATH');
});
