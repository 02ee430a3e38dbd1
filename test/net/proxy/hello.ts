const size = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};
const vector = (bytes: number, ...parts: Uint8Array[]): Buffer => {
  const data = Buffer.concat(parts);
  return Buffer.concat([size(data.length, bytes), data]);
};

export const serverNames = (...names: readonly string[]): Buffer =>
  extension(
    0,
    vector(2, ...names.map((name) => Buffer.concat([size(0, 1), vector(2, Buffer.from(name))]))),
  );

export const extension = (type: number, data: Uint8Array): Buffer =>
  Buffer.concat([size(type, 2), vector(2, data)]);

/** A ClientHello in one record, as OpenSSL sends it but for its contents. */
export function hello(extensions: readonly Uint8Array[], random = Buffer.alloc(32, 7)): Buffer {
  const body = Buffer.concat([
    size(0x0303, 2),
    random,
    vector(1, Buffer.alloc(32, 1)),
    vector(2, size(0x1301, 2)),
    vector(1, size(0, 1)),
    vector(2, ...extensions),
  ]);
  return record(Buffer.concat([size(1, 1), vector(3, body)]));
}

export const record = (fragment: Uint8Array): Buffer =>
  Buffer.concat([size(22, 1), size(0x0301, 2), vector(2, fragment)]);
