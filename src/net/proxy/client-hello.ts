/** What the first bytes of a client say of the server that it wants. */
export type Hello =
  /** Not all of it is here yet. */
  | { readonly kind: 'more' }
  /** Null = it names none. */
  | { readonly kind: 'hello'; readonly serverName: string | null }
  /** No TLS, or one that programs may read in several ways. */
  | { readonly kind: 'unreadable' };

/** RFC 8446: 2^14 bytes in a record. */
export const MOST_HELLO_BYTES = 5 + 16_384;
const [HANDSHAKE, CLIENT_HELLO, SERVER_NAME, HOST_NAME] = [22, 1, 0, 0];
const UNREADABLE: Hello = { kind: 'unreadable' };

class Unreadable extends Error {}

/**
 * Reads the ClientHello of TLS 1.0 to 1.3, which has to lie in the first record, as all known
 * clients send it. Lengths that don't add up, a second name or a second list of names are refused,
 * so that no server reads another name.
 */
export function readHello(bytes: Uint8Array): Hello {
  const [type, major] = bytes;
  if (type !== undefined && type !== HANDSHAKE) return UNREADABLE;
  if (major !== undefined && major !== 3) return UNREADABLE;
  if (bytes.length < 5) return { kind: 'more' };
  const length = ((bytes[3] ?? 0) << 8) | (bytes[4] ?? 0);
  if (length < 4 || 5 + length > MOST_HELLO_BYTES) return UNREADABLE;
  if (bytes.length < 5 + length) return { kind: 'more' };
  try {
    return { kind: 'hello', serverName: serverNameIn(new Reader(bytes.subarray(5, 5 + length))) };
  } catch (error) {
    if (error instanceof Unreadable) return UNREADABLE;
    throw error;
  }
}

function serverNameIn(record: Reader): string | null {
  record.is(CLIENT_HELLO);
  const hello = record.vector(3);
  record.end();
  hello.take(2 + 32);
  hello.vector(1);
  hello.vector(2);
  hello.vector(1);
  if (hello.isAtEnd) return null;
  const extensions = hello.vector(2);
  hello.end();
  let found: string | null = null;
  while (!extensions.isAtEnd) {
    const type = extensions.number(2);
    const data = extensions.vector(2);
    if (type !== SERVER_NAME) continue;
    if (found !== null) throw new Unreadable();
    found = onlyName(data);
  }
  return found;
}

function onlyName(data: Reader): string {
  const names = data.vector(2);
  data.end();
  names.is(HOST_NAME);
  const name = names.vector(2).rest();
  names.end();
  if (name.length === 0 || name.some((byte) => byte <= 0x20 || byte >= 0x7f))
    throw new Unreadable();
  return String.fromCharCode(...name);
}

/** Never reads beyond its bytes. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw new Unreadable();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  rest(): Uint8Array {
    return this.take(this.#bytes.length - this.#at);
  }

  number(size: number): number {
    return this.take(size).reduce((sum, byte) => sum * 256 + byte, 0);
  }

  /** What follows its own length. */
  vector(sizeOfLength: number): Reader {
    return new Reader(this.take(this.number(sizeOfLength)));
  }

  is(byte: number): void {
    if (this.number(1) !== byte) throw new Unreadable();
  }

  end(): void {
    if (!this.isAtEnd) throw new Unreadable();
  }
}
