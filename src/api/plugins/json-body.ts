import { Refusal } from '../../contract/failures.ts';
import type { Application } from '../application.ts';

/** JSON is the only accepted body; an absent body counts as `{}`, and the schema judges it. */
export function addJsonBody(application: Application): void {
  const parse = application.getDefaultJsonParser('error', 'error');
  application.removeAllContentTypeParsers();
  application.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      if (body === '') return done(null, undefined);
      return parse(request, String(body), (error, value) => {
        done(
          error === null ? null : Object.assign(error, { code: 'FST_ERR_CTP_INVALID_JSON_BODY' }),
          value,
        );
      });
    },
  );
  application.addHook('preValidation', async (request) => {
    if (/%00/.test(request.url)) {
      throw new Refusal('invalid_request', 'A URL holds no NUL byte.', { field: 'url' });
    }
    if (request.routeOptions.schema?.body !== undefined && request.body === undefined) {
      request.body = {};
    }
  });
}
