import { createHash } from 'node:crypto';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  attachmentSchema,
  fileNameSchema,
  goalAttachmentSchema,
  MOST_ATTACHMENT_BYTES,
  sha256Schema,
} from '../../../schema/attachment.ts';
import { judgeFile } from '../../attachments/judge-file.ts';
import type { JudgedAttachment } from '../../contract/attachments.ts';
import { Refusal } from '../../contract/failures.ts';
import { principalOf, type Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const upload = operation('uploadAttachment', {
  tag: 'goals',
  summary: 'Upload a file, as it is: a start, message or answer names it by its id within a day',
  answer: attachmentSchema,
  status: 201,
});

const list = operation('listAttachments', {
  tag: 'record',
  summary: 'The files of a goal: of its objective, messages, answers and results of calls',
  answer: z.object({ items: z.array(goalAttachmentSchema) }),
});

const get = operation('getAttachment', {
  tag: 'record',
  summary: 'A file of a goal, as bytes',
  answer: z.string(),
  type: 'application/octet-stream',
});

/** Each one keeps up to 10 MB. */
const attempts = { max: 120, timeWindow: '1 minute' };
const BYTES = 'application/octet-stream';
/** For the document; what the bytes are is judged by the handler. */
const body = z.unknown().meta({ contentMediaType: BYTES });
const querystring = z.strictObject({ name: fileNameSchema });

/** A page of the file's own runs nothing, frames nothing and knows no other origin. */
const SANDBOX = "default-src 'none'; sandbox; frame-ancestors 'none'";

export const attachmentRoutes: Route<'reader' | 'attachments' | 'mask'> = (application, ports) => {
  application.register(async (plain) => {
    const scope = plain.withTypeProvider<ZodTypeProvider>();
    scope.removeAllContentTypeParsers();
    const raw = { parseAs: 'buffer' } as const;
    scope.addContentTypeParser(BYTES, raw, async (_: unknown, body: Buffer) => body);
    // What is sent as anything else is refused with the type that is right here.
    scope.addContentTypeParser('*', raw, async () => undefined);
    scope.route({
      method: 'POST',
      url: '/v1/attachments',
      bodyLimit: MOST_ATTACHMENT_BYTES,
      config: { ...upload.config, rateLimit: attempts },
      schema: { ...upload.describe, consumes: [BYTES], body, querystring },
      onRequest: async ({ headers }) => {
        assertFits(Number(headers['content-length'] ?? 0));
        assertPlain(headers['content-encoding']);
      },
      handler: async (request, reply) => {
        const file = judged(request.query.name, request.body, ports.mask);
        const kept = await ports.attachments.keep(file, principalOf(request).name);
        return reply.code(201).send(kept);
      },
    });
  });

  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/attachments',
    config: list.config,
    schema: { ...list.describe, params: goalParams },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      return { items: await ports.attachments.ofGoal(goalId) };
    },
  });

  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/attachments/:sha256',
    config: get.config,
    schema: { ...get.describe, params: goalParams.extend({ sha256: sha256Schema }) },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { sha256 } = request.params;
      const file = await ports.attachments.content(goalId, sha256);
      if (file === null) {
        const detail = 'The goal holds no such file, or it is not what was attached any more.';
        throw new Refusal('not_found', detail, { goalId, sha256 });
      }
      return reply
        .type(file.mediaType === 'text/plain' ? 'text/plain; charset=utf-8' : file.mediaType)
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', SANDBOX)
        .header('content-disposition', dispositionOf(file))
        .header('etag', `"${sha256}"`)
        .send(Buffer.from(file.content));
    },
  });
};

/** @throws Refusal */
function assertFits(bytes: number): void {
  if (bytes <= MOST_ATTACHMENT_BYTES) return;
  const detail = `body: a file has at most ${MOST_ATTACHMENT_BYTES} bytes: scale it, or put it into the workspace.`;
  throw new Refusal('payload_too_large', detail, { field: 'body', most: MOST_ATTACHMENT_BYTES });
}

/**
 * The bytes of another file than the one that is meant would be kept.
 * @throws Refusal
 */
function assertPlain(coding = 'identity'): void {
  if (coding === 'identity') return;
  const detail = `body: it is sent as ${coding}: send the file as it is.`;
  throw new Refusal('invalid_request', detail, { field: 'body' });
}

/** @throws Refusal */
function judged(name: string, body: unknown, mask: (text: string) => string): JudgedAttachment {
  if (!Buffer.isBuffer(body)) {
    const detail = `body: send the file's bytes as ${BYTES}.`;
    throw new Refusal('invalid_request', detail, { field: 'body' });
  }
  const file = judgeFile(name, body);
  if (!file.ok) {
    throw new Refusal('invalid_request', `${name} ${file.why}.`, { field: 'body', name });
  }
  const { ok: _, ...known } = file;
  // A text goes to providers and stays in the record as people's words do.
  const content = known.mediaType === 'text/plain' ? masked(body, mask) : body;
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { sha256, name: mask(name), ...known, bytes: content.byteLength, content };
}

function masked(body: Buffer, mask: (text: string) => string): Buffer {
  const text = body.toString();
  const safe = mask(text);
  return safe === text ? body : Buffer.from(safe);
}

/** Only an image may be looked at in its place; all else is saved. */
function dispositionOf({ name, mediaType }: JudgedAttachment): string {
  const how = mediaType.startsWith('image/') ? 'inline' : 'attachment';
  const plain = name.replace(/[^\w. -]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return `${how}; filename="${plain}"; filename*=UTF-8''${whole}`;
}
