import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { filled, inOrder, readCompose } from '../../scripts/compose/file.ts';

const COMPOSE = fileURLToPath(new URL('../../docker-compose.yml', import.meta.url));
const SECRETS = [
  ...['POSTGRES', 'OWNER', 'WRITER', 'READER', 'TEMPORAL'].map((name) => `${name}_PASSWORD`),
  ...['GOALKEEPER_TOKENS', 'GOALKEEPER_LEDGER_KEY', 'GOALKEEPER_SEALED_KEYS'],
  'GOALKEEPER_TEMPORAL_KEYS',
];
const variables = Object.fromEntries(SECRETS.map((name) => [name, `the-${name}`]));
const { services } = readCompose(COMPOSE, variables);

describe('SERVE-18 docker-compose.yml', () => {
  test.each(SECRETS)('does not start without %s', (name) => {
    expect(() => readCompose(COMPOSE, { ...variables, [name]: '' })).toThrow(name);
  });

  test('serves only behind its jobs, and starts again what serves', () => {
    const order = inOrder(services);
    for (const job of ['temporal-schema', 'temporal-namespace', 'migrate']) {
      expect(services[job]?.restart).toBe('on-failure');
      expect(order.indexOf(job)).toBeLessThan(order.indexOf('api'));
    }
    for (const name of ['postgres', 'temporal', 'api', 'worker']) {
      expect(services[name], name).toMatchObject({ restart: 'unless-stopped' });
      expect(services[name]?.healthcheck?.test[0], name).toBe('CMD');
    }
  });

  test('gives the owner of the tables to the migration alone', () => {
    const owners = Object.entries(services).filter(([, { environment }]) =>
      JSON.stringify(environment ?? {}).includes('the-OWNER_PASSWORD'),
    );
    expect(owners.map(([name]) => name)).toEqual(['migrate']);
  });

  test('SEC-40 names the release and the digest of each image that it does not build', () => {
    const file = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
    const built = [...file.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
    const named = Object.values(services).map(({ image }) => image);
    for (const image of [...built, ...named]) {
      if (image !== 'goalkeeper') expect(image).toMatch(/:\d[\w.-]*@sha256:[0-9a-f]{64}$/);
    }
  });
});

test('SERVE-18 variables are filled in as Compose does it', () => {
  const variable = (inside: string) => `\${${inside}}`;
  const given = { A: 'x', EMPTY: '' };
  const text = `${variable('A')} ${variable('EMPTY:-other')} $${variable('A')}`;
  expect(filled(text, given)).toBe(`x other ${variable('A')}`);
  expect(() => filled(variable('NOBODY:?give one'), given)).toThrow('NOBODY is not set: give one');
});

test('SERVE-18 services that wait for each other are refused', () => {
  const condition = 'service_started' as const;
  const circle = {
    a: { image: 'x', depends_on: { b: { condition } } },
    b: { image: 'x', depends_on: { a: { condition } } },
  };
  expect(() => inOrder(circle)).toThrow('a → b → a');
});
