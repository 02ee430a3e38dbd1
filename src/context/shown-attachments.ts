import {
  type Attached,
  attachmentRefOf,
  type ImageSight,
  type Shown,
} from '../contract/attachments.ts';
import type { StoredMessage } from '../contract/conversation.ts';
import { wholeCharacters } from '../tools/output.ts';

/** Images of one request, the newest; providers refuse more, or larger ones among many. */
const MOST_IMAGES = 20;
/** Of all images in a request, together: in base64 a third more. */
const MOST_IMAGE_BYTES = 12 * 1024 * 1024;
/** Characters of a text that stand in the message; `recall` reads the rest. */
const MOST_TEXT = 20_000;

interface Ground {
  /** By SHA-256. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** Null = the model sees no images. */
  readonly sight: ImageSight | null;
}

/** Contents that a request may need: texts, and as many images as one can show. */
export function shownHashes(
  messages: readonly StoredMessage[],
  sight: ImageSight | null,
): ReadonlySet<string> {
  const hashes = new Set<string>();
  let images = 0;
  for (const { sha256, mediaType } of newestFirst(messages)) {
    if (mediaType === 'application/octet-stream') continue;
    if (mediaType !== 'text/plain' && (sight === null || images++ >= MOST_IMAGES)) continue;
    hashes.add(sha256);
  }
  return hashes;
}

const newestFirst = (messages: readonly StoredMessage[]): readonly Attached[] =>
  messages.toReversed().flatMap(({ content }) => content.attachments?.toReversed() ?? []);

/**
 * The conversation with what this model is shown of its files. The same record and model give the
 * same request, whichever worker makes it.
 */
export function showAttached(
  messages: readonly StoredMessage[],
  { contents, sight }: Ground,
): readonly StoredMessage[] {
  if (messages.every(({ content }) => content.attachments === undefined)) return messages;
  let images = 0;
  let bytes = 0;
  /** An image that a later message brought takes the room of an earlier one. */
  const hasRoom = (file: Attached): boolean => {
    if (images >= MOST_IMAGES || bytes + file.bytes > MOST_IMAGE_BYTES) return false;
    images += 1;
    bytes += file.bytes;
    return true;
  };
  const shown = messages.toReversed().map((message) => {
    const { attachments } = message.content;
    if (attachments === undefined) return message;
    const files = attachments.toReversed().map((file) => shownOf(file, contents, sight, hasRoom));
    return withFiles(message, files.toReversed());
  });
  return shown.toReversed();
}

function shownOf(
  file: Attached,
  contents: ReadonlyMap<string, Uint8Array>,
  sight: ImageSight | null,
  hasRoom: (file: Attached) => boolean,
): Shown {
  const { mediaType, sha256, width = 0, height = 0 } = file;
  if (mediaType === 'application/octet-stream') return named('neither text nor an image');
  const content = contents.get(sha256);
  if (mediaType === 'text/plain') {
    return content === undefined ? named(GONE) : { kind: 'text', text: textOf(file, content) };
  }
  if (sight === null) return named('this model is shown no images');
  const isTaken = file.bytes <= sight.mostBytes && Math.max(width, height) <= sight.longestSide;
  if (!isTaken) return named('larger than this model takes');
  if (!hasRoom(file)) return named('newer images take the room');
  if (content === undefined) return named(GONE);
  return { kind: 'image', content, tokens: sight.tokens(width, height) };
}

const GONE = 'its content is not what was attached any more';

const named = (why: string): Shown => ({ kind: 'named', why });

const texts = new WeakMap<Uint8Array, string>();

function textOf(file: Attached, content: Uint8Array): string {
  const known = texts.get(content);
  if (known !== undefined) return known;
  const whole = new TextDecoder().decode(content);
  const shown = wholeCharacters(whole.slice(0, MOST_TEXT));
  const left = whole.length - shown.length;
  const rest = `\n[… ${left} more characters: \`recall\` with ref "${attachmentRefOf(file)}" reads them …]`;
  const text = left > 0 ? shown + rest : shown;
  texts.set(content, text);
  return text;
}

const known = new WeakMap<StoredMessage, Map<string, StoredMessage>>();

/** The same object for the same message shown the same way, so that its tokens are counted once. */
function withFiles(message: StoredMessage, shown: readonly Shown[]): StoredMessage {
  const key = shown.map((one) => keyOf(one)).join();
  const variants = known.get(message) ?? new Map<string, StoredMessage>();
  known.set(message, variants);
  const before = variants.get(key);
  if (before !== undefined) return before;
  const { attachments = [] } = message.content;
  const files = attachments.map((file, index) => ({ ...file, shown: shown[index] as Shown }));
  const made = { ...message, content: { ...message.content, attachments: files } };
  variants.set(key, made);
  return made;
}

const keyOf = (shown: Shown): string =>
  shown.kind === 'named' ? shown.why : shown.kind === 'image' ? `${shown.tokens}` : 'text';

const OLD = named('no longer shown');
const namedKnown = new WeakMap<StoredMessage, StoredMessage>();

/** The message with its files named only: they take no room any more, and `recall` shows them. */
export function namedOnly(message: StoredMessage): StoredMessage {
  const { attachments } = message.content;
  const isNamed = ({ shown }: Attached) => shown === undefined || shown.kind === 'named';
  if (attachments === undefined || attachments.every(isNamed)) return message;
  const before = namedKnown.get(message);
  if (before !== undefined) return before;
  const files = attachments.map((file) => (isNamed(file) ? file : { ...file, shown: OLD }));
  const made = { ...message, content: { ...message.content, attachments: files } };
  namedKnown.set(message, made);
  return made;
}

/** A file in one line, for those that are not shown it. */
export function fileLine(file: Attached): string {
  const { name, mediaType, bytes, width, height } = file;
  const size = width === undefined ? '' : `, ${width} × ${height}`;
  return `${name} (${mediaType}${size}, ${bytes} bytes, ref ${attachmentRefOf(file)})`;
}
