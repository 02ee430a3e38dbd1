import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { buildServer } from '../../src/api/server.ts';
import { serializers } from '../../src/process/log.ts';
import { createMemory, memoryPorts } from './memory-ports.ts';

test('SEC-25 a request is logged without its query, which may hold what lets somebody in', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const server = buildServer(memoryPorts(createMemory()), pino({ serializers }, stream));
  await server.inject('/decide?link=one-that-decides');
  await server.inject('/v1/nowhere?code=of-a-sign-in');
  await server.close();
  const log = lines.join('');
  expect(log).toContain('"url":"/decide"');
  expect(log).toContain('"url":"/v1/nowhere"');
  expect(log).not.toMatch(/one-that-decides|of-a-sign-in/);
});
