import fastify from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { expect, test } from 'vitest';
import { healthRoutes } from '../../src/api/routes/health.ts';
import { verifyLedgerRoute } from '../../src/api/routes/verify-ledger.ts';
import { createMemory, memoryPorts } from './memory-ports.ts';

const newApplication = () => fastify().withTypeProvider<ZodTypeProvider>();

test('a route serves with nothing but the ports that it names', async () => {
  const { reader, goals } = memoryPorts(createMemory());
  const application = newApplication();
  healthRoutes(application, { reader, goals });
  const answer = await application.inject({ method: 'GET', url: '/readyz' });
  expect([answer.statusCode, answer.json().checks]).toEqual([
    200,
    { postgres: 'ok', temporal: 'ok' },
  ]);
});

test('a route that is given less than it names does not compile', () => {
  const { reader } = memoryPorts(createMemory());
  // @ts-expect-error the route names the ledger, too
  const serve = () => verifyLedgerRoute(newApplication(), { reader });
  expect(serve).toBeTypeOf('function');
});
