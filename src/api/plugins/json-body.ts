import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/failures.ts';
import type { Application } from '../application.ts';
import { assertKeepable } from '../keepable.ts';

/** JSON is the only accepted body; an absent body counts as `{}`, and the schema judges it. */
export function addJsonBody(application: Application): void {
  application.removeAllContentTypeParsers();
  application.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return undefined;
      const value = parsed(textOf(request, body));
      assertKeepable(value);
      return value;
    },
  );
  application.addHook('preValidation', async (request) => {
    if (request.routeOptions.schema?.body !== undefined && request.body === undefined) {
      request.body = {};
    }
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes that are read as something else than they were written as would change what is asked. */
function textOf({ headers }: FastifyRequest, body: Buffer): string {
  const [, charset = 'utf-8'] =
    /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '') ?? [];
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw new Refusal('malformed_json', `The body is sent as ${charset}: send UTF-8.`);
  }
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity') {
    throw new Refusal('malformed_json', `The body is sent as ${coding}: send it as it is.`);
  }
  try {
    return utf8.decode(body);
  } catch {
    throw new Refusal('malformed_json', 'The body is not UTF-8.');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw Object.assign(error as Error, { code: 'FST_ERR_CTP_INVALID_JSON_BODY' });
  }
}
