import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readImage } from '../../src/attachments/image.ts';
import { judgeFile } from '../../src/attachments/judge-file.ts';
import { jpeg, png, pngOf, webp } from '../support/images.ts';

const WHOLE = [
  ['image/png', png(40, 30)],
  ['image/jpeg', jpeg(40, 30)],
  ['image/webp', webp(40, 30)],
] as const;

describe.each(WHOLE)('%s', (mediaType, bytes) => {
  const whole = { kind: 'image', mediaType, width: 40, height: 30 };

  test('ATT-1 is known by its content, with its size', () => {
    expect(readImage(bytes)).toEqual(whole);
    expect(judgeFile('no-image.txt', bytes)).toMatchObject({ ok: true, mediaType });
  });

  test('ATT-2 is refused when it breaks off anywhere', () => {
    fc.assert(
      fc.property(fc.integer({ min: 12, max: bytes.length - 1 }), (length) => {
        expect(readImage(bytes.subarray(0, length))).toMatchObject({ kind: 'broken' });
      }),
    );
  });

  test('ATT-2 is refused with anything behind its end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), (more) => {
        const both = Buffer.concat([bytes, more]);
        expect(readImage(both)).toMatchObject({ kind: 'broken' });
      }),
    );
    const page = Buffer.concat([bytes, Buffer.from('<html><script>alert(1)</script>')]);
    expect(readImage(page)).toMatchObject({ why: expect.stringContaining('behind its end') });
  });

  test('whatever its bytes become, reading them ends with an answer', () => {
    const edit = fc.tuple(fc.integer({ min: 0, max: bytes.length - 1 }), fc.integer({ max: 255 }));
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 8 }), (edits) => {
        const changed = Buffer.from(bytes);
        for (const [at, value] of edits) changed[at] = value;
        const read = readImage(changed);
        if (read?.kind === 'image') expect(read.width * read.height).toBeLessThanOrEqual(50e6);
      }),
    );
  });
});

test('ATT-2 a size that would fill the memory of whoever decodes it is refused by the header alone', () => {
  for (const bomb of [pngOf(60_000, 60_000), jpeg(20_000, 100), webp(16_000, 16_000)]) {
    expect(readImage(bomb)).toMatchObject({ why: expect.stringContaining('so scale it') });
  }
  expect(readImage(pngOf(0, 10))).toMatchObject({ kind: 'broken' });
});

test('ATT-2 a changed PNG is refused by its checksums, an animated WebP because no model sees it', () => {
  const bytes = png(20, 20);
  bytes[50] = (bytes[50] ?? 0) ^ 1;
  expect(readImage(bytes)).toMatchObject({ why: expect.stringContaining('damaged') });
  expect(readImage(webp(20, 20, true))).toMatchObject({ why: expect.stringContaining('animated') });
});

test('ATT-1 a camera puts more pictures behind the first; an image of a real encoder is read', () => {
  const both = Buffer.concat([jpeg(4000, 3000), jpeg(1000, 750)]);
  expect(readImage(both)).toMatchObject({ kind: 'image', width: 4000 });
  const screen = readFileSync(new URL('../../docs/screens/goals-light.webp', import.meta.url));
  expect(readImage(screen)).toMatchObject({ kind: 'image', mediaType: 'image/webp' });
});

test('ATT-1 what is no image is text, or named only; its name makes no image of it', () => {
  const text = Buffer.from('Grüße\n');
  expect(judgeFile('notes', text)).toEqual({ ok: true, mediaType: 'text/plain' });
  expect(judgeFile('data.bin', Buffer.from([1, 0, 2]))).toEqual({
    ok: true,
    mediaType: 'application/octet-stream',
  });
  const refused = (name: string, bytes: Uint8Array) => {
    const judged = judgeFile(name, bytes);
    return judged.ok ? '' : judged.why;
  };
  expect(refused('chart.PNG', text)).toContain('the name of an image');
  expect(refused('empty.txt', Buffer.alloc(0))).toContain('is empty');
  expect(refused('long.txt', Buffer.alloc(1_100_000, 'x'))).toContain('at most 1048576');
  expect(refused('huge.bin', Buffer.alloc(11_000_000))).toContain('at most 10485760');
});
