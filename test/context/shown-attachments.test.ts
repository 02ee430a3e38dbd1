import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageTokens } from '../../src/context/context.ts';
import { namedOnly, showAttached, shownHashes } from '../../src/context/shown-attachments.ts';
import { viewOf } from '../../src/context/view.ts';
import type { Attached, ImageSight } from '../../src/contract/attachments.ts';
import type { StoredMessage } from '../../src/contract/conversation.ts';

const MB = 1024 * 1024;
const sight: ImageSight = { tokens: () => 500, mostBytes: 4 * MB, longestSide: 8000 };
const count = (text: string) => Math.ceil(text.length / 4);

const image = (seq: number, bytes = 1000): Attached => ({
  sha256: String(seq).padStart(64, '0'),
  name: `${seq}.png`,
  mediaType: 'image/png',
  bytes,
  width: 10,
  height: 10,
});

const message = (seq: number, files: readonly Attached[]): StoredMessage => ({
  seq,
  turn: 1,
  step: null,
  voice: 'person',
  content: { text: `message ${seq}`, attachments: files },
});

const contentsOf = (messages: readonly StoredMessage[]) =>
  new Map(
    messages.flatMap(({ content }) =>
      (content.attachments ?? []).map(({ sha256 }) => [sha256, new Uint8Array(1)] as const),
    ),
  );

const shownIn = (messages: readonly StoredMessage[]) =>
  messages.flatMap(({ content }) =>
    (content.attachments ?? []).filter(({ shown }) => shown?.kind === 'image'),
  );

describe('files of a conversation', () => {
  test('ATT-14 never more than 20 images or 12 MB are shown, the newest first, and always the same', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 5 * MB }), { maxLength: 40 });
    fc.assert(
      fc.property(sizes, (all) => {
        const messages = all.map((bytes, index) => message(index + 1, [image(index, bytes)]));
        const ground = { contents: contentsOf(messages), sight };
        const shown = showAttached(messages, ground);
        const images = shownIn(shown);
        expect(images.length).toBeLessThanOrEqual(20);
        expect(images.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(12 * MB);
        expect(images.every(({ bytes }) => bytes <= sight.mostBytes)).toBe(true);
        expect(showAttached(messages, ground)).toEqual(shown);
        const again = showAttached(messages, ground);
        expect(again.every((one, index) => one === shown[index])).toBe(true);
        const newest = messages.at(-1)?.content.attachments?.[0];
        const isTaken = newest !== undefined && newest.bytes <= sight.mostBytes;
        expect(images.some(({ sha256 }) => sha256 === newest?.sha256)).toBe(isTaken);
      }),
    );
  });

  test('ATT-14 what is not read for a model is not shown, and what is shown counts', () => {
    const messages = [message(1, [image(1)])];
    expect([...shownHashes(messages, sight)]).toEqual([image(1).sha256]);
    expect(shownHashes(messages, null).size).toBe(0);
    const seeing = showAttached(messages, { contents: contentsOf(messages), sight });
    const blind = showAttached(messages, { contents: new Map(), sight: null });
    const tokensOf = (all: readonly StoredMessage[]) =>
      all.reduce((sum, one) => sum + messageTokens(one, count), 0);
    expect(tokensOf(seeing) - tokensOf(blind)).toBe(500);
    expect(tokensOf(seeing.map(namedOnly))).toBe(tokensOf(blind));
  });

  test('ATT-14 a compaction names files of what it replaces, and shows them no more', () => {
    const messages = [message(1, [image(1)]), message(2, [image(2)])];
    const shown = showAttached(messages, { contents: contentsOf(messages), sight });
    const compaction = {
      number: 1,
      shortenedThrough: 0,
      shown: 400,
      replacedThrough: 1,
      notes: 'notes',
      notesBy: 'model',
      words: [{ seq: 1, shown: 1_000_000 }],
      limits: {},
    } as const;
    const view = viewOf(shown, compaction);
    expect(shownIn(view).map(({ name }) => name)).toEqual(['2.png']);
    expect(view[0]?.content.attachments?.[0]).toMatchObject({ name: '1.png' });
    const shortened = viewOf(shown, { ...compaction, replacedThrough: 0, shortenedThrough: 2 });
    expect(shownIn(shortened)).toEqual([]);
  });
});
