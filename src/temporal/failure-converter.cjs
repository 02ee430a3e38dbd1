// Loaded by the SDK with `require`, and bundled for workflows: messages and stack traces of failures
// go through the codec like all else, and are short enough for Temporal to take them.
const { DefaultFailureConverter } = require('@temporalio/common');
const { encode } = require('@temporalio/common/lib/encoding');

/**
 * Temporal keeps 4 KB of what an activity failed with last, and says `Failure exceeds size limit.`
 * in the place of more. What follows leaves room in it for the codec and for names.
 */
const MOST_CAUSES = 3;
const BYTES_OF_MESSAGES = 1800;
const BYTES_OF_STACKS = 600;
const LONGEST_TYPE = 60;
/** Of details, which only failures that are not tried again have; Temporal takes 2 MB of those. */
const BYTES_OF_DETAILS = 32 * 1024;
const SHARE_OF_HEAD = 0.6;

const PLAIN = new DefaultFailureConverter();

class ShortFailureConverter extends DefaultFailureConverter {
  constructor() {
    super({ encodeCommonAttributes: true });
  }

  errorToFailure(error, payloads, context) {
    const failure = PLAIN.errorToFailure(error, payloads, context);
    const chain = outerAndInnermost(causesOf(failure)).map((one) => opened(one, payloads, context));
    const messages = shares(
      chain.map(({ message }) => message),
      BYTES_OF_MESSAGES,
    );
    const stacks = shares(
      chain.map(({ message, stackTrace }, at) => stackTrace.replace(message, () => messages[at])),
      BYTES_OF_STACKS,
    );
    return chain.reduceRight((cause, { message: _, stackTrace: __, ...one }, at) => {
      const attributes = { message: messages[at], stack_trace: stacks[at] };
      return {
        ...withShortInfo(one, payloads, context),
        message: 'Encoded failure',
        stackTrace: '',
        encodedAttributes: payloads.toPayload(attributes, context),
        cause,
      };
    }, undefined);
  }
}

function causesOf(failure) {
  const causes = [];
  for (let one = failure; one != null; one = one.cause) causes.push(one);
  return causes;
}

const outerAndInnermost = (causes) =>
  causes.length <= MOST_CAUSES
    ? causes
    : [...causes.slice(0, MOST_CAUSES - 1), causes[causes.length - 1]];

/** What came from Temporal and is passed on has its words in its attributes. */
function opened(failure, payloads, context) {
  const inside =
    failure.encodedAttributes == null
      ? {}
      : payloads.fromPayload(failure.encodedAttributes, context);
  return {
    ...failure,
    message: inside?.message ?? failure.message ?? '',
    stackTrace: inside?.stack_trace ?? failure.stackTrace ?? '',
  };
}

function withShortInfo(failure, payloads, context) {
  const info = failure.applicationFailureInfo;
  if (info == null) return failure;
  const type = info.type?.slice(0, LONGEST_TYPE);
  const details = shortDetails(info.details, payloads, context);
  return { ...failure, applicationFailureInfo: { ...info, type, details } };
}

function shortDetails(details, payloads, context) {
  const all = details?.payloads ?? [];
  const size = all.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
  if (size <= BYTES_OF_DETAILS) return details;
  const most = BYTES_OF_DETAILS / all.length;
  return {
    payloads: all.map((one) =>
      payloads.toPayload(shortValue(payloads.fromPayload(one, context), most), context),
    ),
  };
}

/** The longest texts and lists of a value are cut first. */
function shortValue(value, most) {
  for (let longest = most; longest >= 1; longest = Math.floor(longest / 2)) {
    const short = cutInside(value, longest);
    if (sizeOf(short) <= most) return short;
  }
  return null;
}

function cutInside(value, longest) {
  if (typeof value === 'string') return cut(value, longest);
  if (Array.isArray(value)) return value.slice(0, longest).map((one) => cutInside(one, longest));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).slice(0, longest);
  return Object.fromEntries(entries.map(([name, one]) => [name, cutInside(one, longest)]));
}

/**
 * Texts in as many bytes together: what short ones leave is for the longer ones. Those that are short
 * enough together stay as they are, so what was cut once is not cut again.
 */
function shares(texts, bytes) {
  const short = [...texts];
  let left = bytes;
  const sizes = texts.map(sizeOf);
  const shortestFirst = [...texts.keys()].sort((one, other) => sizes[one] - sizes[other]);
  for (const [before, at] of shortestFirst.entries()) {
    short[at] = cut(texts[at], Math.floor(left / (texts.length - before)));
    left -= sizeOf(short[at]);
  }
  return short;
}

/** Keeps the first and the last words of a text, and says how much went. */
function cut(text, bytes) {
  if (text.length <= bytes && sizeOf(text) <= bytes) return text;
  for (let kept = Math.min(bytes, text.length); kept > 0; kept = Math.floor(kept * 0.9)) {
    const short = firstAndLast(text, kept);
    if (sizeOf(short) <= bytes) return short;
  }
  return '';
}

function firstAndLast(text, kept) {
  const head = text.slice(0, Math.ceil(kept * SHARE_OF_HEAD)).replace(/[\uD800-\uDBFF]$/, '');
  const end = text.slice(text.length - Math.floor(kept * (1 - SHARE_OF_HEAD)));
  const tail = end.replace(/^[\uDC00-\uDFFF]/, '');
  return `${head} [… ${text.length - head.length - tail.length} characters left out …] ${tail}`;
}

/** As it is sent: in JSON, and in UTF-8. */
const sizeOf = (value) => encode(JSON.stringify(value) ?? '').length;

exports.failureConverter = new ShortFailureConverter();
