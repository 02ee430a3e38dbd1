import { expect, test } from 'vitest';
import { createApi } from './calls.ts';

test('a refusal quotes no secret of what it refuses', async () => {
  const { call } = createApi({ mask: (text) => text.replaceAll('kestrel', '[masked]') });
  const { status, body } = await call('POST /v1/goals', { body: { objective: 'x', kestrel: 1 } });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('[masked]');
  expect(JSON.stringify(body)).not.toContain('kestrel');
});

test('a refusal is read as nothing but what it says it is, also before anybody is known', async () => {
  const { call } = createApi();
  const { status, headers } = await call('GET /v1/goals', { headers: { authorization: '' } });
  expect([status, headers['x-content-type-options']]).toEqual([401, 'nosniff']);
});
