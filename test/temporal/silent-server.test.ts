import { ChannelCredentials, credentials as grpc, Server, ServerCredentials } from '@grpc/grpc-js';
import { Connection } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { callInterceptors } from '../../src/temporal/closed-channel.ts';
import { greetedInTime } from '../../src/temporal/greeted-in-time.ts';
import { layCable } from '../support/cable.ts';
import { temporalAddress } from '../support/servers.ts';

const SOON_MS = 300;

test('REC-60 a connection to Temporal that is made while the network is silent is given up, and the next one is answered', async () => {
  const cable = await layCable(temporalAddress());
  const connection = Connection.lazy({
    address: `127.0.0.1:${cable.port}`,
    credentials: greetedInTime(ChannelCredentials.createInsecure(), SOON_MS),
    interceptors: callInterceptors(),
  });
  onTestFinished(async () => {
    await connection.close();
    await cable.close();
  });
  cable.silence();
  const asked = connection.workflowService.getSystemInfo({});
  await expect.poll(cable.count, { timeout: 20_000 }).toBeGreaterThan(0);
  // What was open before stays dead.
  cable.mend();
  expect((await asked).serverVersion).toMatch(/^\d/);
  // A line that was greeted stays.
  const before = cable.count();
  for (const until = performance.now() + SOON_MS * 3; performance.now() < until; )
    await connection.workflowService.getSystemInfo({});
  expect(cable.count()).toBe(before);
});

test('REC-60 a call to Temporal that nobody answers ends, though the line lives', async () => {
  const server = new Server();
  server.addService(
    {
      getSystemInfo: {
        path: '/temporal.api.workflowservice.v1.WorkflowService/GetSystemInfo',
        requestStream: false,
        responseStream: false,
        requestSerialize: (bytes: Buffer) => bytes,
        requestDeserialize: (bytes: Buffer) => bytes,
        responseSerialize: (bytes: Buffer) => bytes,
        responseDeserialize: (bytes: Buffer) => bytes,
      },
    },
    { getSystemInfo: () => {} },
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  const connection = Connection.lazy({
    address: `127.0.0.1:${port}`,
    credentials: grpc.createInsecure(),
    interceptors: callInterceptors(SOON_MS),
  });
  onTestFinished(async () => {
    await connection.close();
    server.forceShutdown();
  });
  await expect(connection.workflowService.getSystemInfo({})).rejects.toThrow(/DEADLINE_EXCEEDED/i);
});
