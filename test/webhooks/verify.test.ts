import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signedHeaders } from '../../src/webhooks/sign.ts';
import { verifyDelivery } from '../../src/webhooks/verify.ts';

const now = Date.parse('2026-11-24T12:00:00Z');
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = Buffer.from('{"type":"built"}');
const github = (text: Uint8Array, key = 'a-secret-of-github') => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(text).digest('hex')}`,
  'x-github-delivery': 'd-1',
  'x-github-event': 'push',
});

const standard = (headers: Record<string, string>, at = now, text: Uint8Array = body) =>
  verifyDelivery('standard', { headers, body: text, now: at }, secret);

describe('who sent a delivery', () => {
  test('TRIG-4 a signature of Standard Webhooks, also the published example', () => {
    const headers = signedHeaders('msg_1', body.toString(), secret, now);
    expect(standard(headers)).toEqual({
      isRight: true,
      delivery: { kind: 'standard', externalId: 'msg_1', event: null },
    });
    // https://github.com/standard-webhooks/standard-webhooks: the example of its specification.
    const example = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    expect(standard(example, 1614265330_000, Buffer.from('{"test": 2432232314}')).isRight).toBe(
      true,
    );
  });

  test('TRIG-4 one of several signatures is enough, while a key is changed', () => {
    const headers = signedHeaders('msg_1', body.toString(), secret, now);
    const both = `v1,${Buffer.alloc(32).toString('base64')} ${headers['webhook-signature']}`;
    expect(standard({ ...headers, 'webhook-signature': both }).isRight).toBe(true);
    expect(
      standard({ ...headers, 'webhook-signature': both.replaceAll('v1,', 'v2,') }).isRight,
    ).toBe(false);
  });

  test('TRIG-5 an old one, one of the future, and one without a time are refused', () => {
    for (const off of [-301_000, 301_000]) {
      const headers = signedHeaders('msg_1', body.toString(), secret, now + off);
      expect(standard(headers)).toMatchObject({
        isRight: false,
        why: expect.stringMatching(/off/),
      });
    }
    expect(standard(signedHeaders('msg_1', body.toString(), secret, Number.NaN)).isRight).toBe(
      false,
    );
    const edge = signedHeaders('msg_1', body.toString(), secret, now - 299_000);
    expect(standard(edge).isRight).toBe(true);
  });

  test('TRIG-5 whatever is changed, the signature is of something else', () => {
    const headers = signedHeaders('msg_1', body.toString(), secret, now);
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(body);
        changed[at] = (changed[at] ?? 0) ^ change;
        expect(standard(headers, now, changed).isRight).toBe(false);
      }),
    );
    for (const name of Object.keys(headers)) {
      expect(standard({ ...headers, [name]: `${headers[name]}0` }).isRight).toBe(false);
      const { [name]: _, ...without } = headers;
      expect(standard(without).isRight).toBe(false);
    }
  });

  test('TRIG-4 GitHub signs the body, and names delivery and event', () => {
    const verify = (headers: Record<string, string>) =>
      verifyDelivery('github', { headers, body, now }, 'a-secret-of-github');
    expect(verify(github(body))).toEqual({
      isRight: true,
      delivery: { kind: 'github', externalId: 'd-1', event: 'push' },
    });
    expect(verify(github(Buffer.from('other'))).isRight).toBe(false);
    expect(verify(github(body, 'another-secret-1')).isRight).toBe(false);
    expect(verify({}).isRight).toBe(false);
    const { 'x-github-delivery': _, ...nameless } = github(body);
    expect(verify(nameless)).toMatchObject({ why: expect.stringMatching(/X-GitHub-Delivery/) });
  });

  test('TRIG-4 GitLab sends its token, and a key that a repeat keeps', () => {
    const verify = (headers: Record<string, string>) =>
      verifyDelivery('gitlab', { headers, body, now }, 'a-token-of-gitlab');
    const named = { 'x-gitlab-event': 'Pipeline Hook', 'x-gitlab-event-uuid': 'e-1' };
    expect(verify({ ...named, 'x-gitlab-token': 'a-token-of-gitlab' })).toEqual({
      isRight: true,
      delivery: { kind: 'gitlab', externalId: 'e-1', event: 'Pipeline Hook' },
    });
    const keyed = { ...named, 'x-gitlab-token': 'a-token-of-gitlab', 'idempotency-key': 'k-1' };
    expect(verify(keyed)).toMatchObject({ delivery: { externalId: 'k-1' } });
    expect(verify({ ...named, 'x-gitlab-token': 'a-token-of-gitla' }).isRight).toBe(false);
    expect(verify(named).isRight).toBe(false);
  });
});
