import { crc32, deflateSync } from 'node:zlib';

/** A real PNG image whose pixels follow from the seed. */
export function png(width: number, height: number, seed = 1): Buffer {
  const pixels = Buffer.alloc(height * (1 + width * 3));
  for (let at = 0; at < pixels.length; at += 1) {
    const isFilter = at % (1 + width * 3) === 0;
    pixels[at] = isFilter ? 0 : (at * 31 * seed + (at >> 3)) % 256;
  }
  return pngOf(width, height, deflateSync(pixels));
}

/** A PNG that declares this size, whatever it holds. */
export function pngOf(width: number, height: number, data = Buffer.from([1])): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The segments of a JPEG of this size, around pixels that no decoder would like. */
export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.alloc(17);
  frame.writeUInt16BE(17, 0);
  frame[2] = 8;
  frame.writeUInt16BE(height, 3);
  frame.writeUInt16BE(width, 5);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x04, 0x4a, 0x46]),
    Buffer.from([0xff, 0xc0]),
    frame,
    Buffer.from([0xff, 0xda, 0x00, 0x03, 0x01]),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xd9]),
  ]);
}

/** A container of WebP with a lossless picture of this size. */
export function webp(width: number, height: number, isAnimated = false): Buffer {
  const picture = Buffer.alloc(6);
  picture[0] = 0x2f;
  picture.writeUInt32LE(((height - 1) << 14) | (width - 1), 1);
  const extended = Buffer.alloc(10);
  extended[0] = isAnimated ? 2 : 0;
  extended.writeUIntLE(width - 1, 4, 3);
  extended.writeUIntLE(height - 1, 7, 3);
  const chunks = [riff('VP8X', extended), riff('VP8L', picture)];
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), length, body]);
}

function riff(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type), length, data]);
}
