import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect } from 'node:tls';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { MOST_HELLO_BYTES, readHello } from '../../../src/net/proxy/client-hello.ts';
import { extension, hello, serverNames } from './hello.ts';
import { listening } from './stage.ts';

const name = fc.stringMatching(/^[a-z0-9.-]{1,40}$/);
/** Any but a list of names. */
const others = fc.array(
  fc.tuple(fc.integer({ min: 1, max: 0xffff }), fc.uint8Array({ maxLength: 50 })),
  { maxLength: 6 },
);
const parts = (list: readonly (readonly [number, Uint8Array])[]) =>
  list.map(([type, data]) => extension(type, data));

test('PRX-14: the name is found among whatever extensions, and nothing of the hello too early', () => {
  fc.assert(
    fc.property(name, others, others, fc.nat(), (asked, before, after, cut) => {
      const bytes = hello([...parts(before), serverNames(asked), ...parts(after)]);
      expect(readHello(bytes)).toEqual({ kind: 'hello', serverName: asked });
      expect(readHello(Buffer.concat([bytes, Buffer.from('more')]))).toMatchObject({
        kind: 'hello',
      });
      expect(readHello(bytes.subarray(0, cut % bytes.length))).toEqual({ kind: 'more' });
    }),
  );
});

test('PRX-14: a hello whose lengths were bent is refused or names what it named', () => {
  const bytes = hello([serverNames('allowed.example')]);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (at, value) => {
      const bent = Buffer.from(bytes);
      bent[at] = value;
      const read = readHello(bent);
      if (read.kind !== 'hello' || read.serverName === null) return;
      // Only the letters of the name itself make another one.
      expect(read.serverName).toHaveLength('allowed.example'.length);
    }),
  );
});

test('PRX-14: no bytes make it throw, wait for more than a record, or read beyond', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (noise, isRecord) => {
      const bytes = isRecord ? Buffer.from([22, 3, 1, 0, noise.length, ...noise]) : noise;
      expect(['more', 'hello', 'unreadable']).toContain(readHello(bytes).kind);
    }),
  );
  expect(readHello(Buffer.alloc(MOST_HELLO_BYTES, 22)).kind).toBe('unreadable');
  expect(readHello(Buffer.from([22, 3, 1, 0xff, 0xff])).kind).toBe('unreadable');
});

test('PRX-14: what Node sends is read', async () => {
  const server = createServer().on('connection', (socket) => socket.on('error', () => {}));
  const port = await listening(server);
  onTestFinished(() => void server.close());
  const client = connect({ port, host: '127.0.0.1', servername: 'allowed.example' });
  client.on('error', () => {});
  const [socket] = await once(server, 'connection');
  const [bytes] = await once(socket, 'data');
  client.destroy();
  expect(readHello(bytes)).toEqual({ kind: 'hello', serverName: 'allowed.example' });
});
