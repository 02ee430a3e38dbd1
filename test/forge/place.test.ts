import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openForge } from '../../src/forge/open-forge.ts';
import { placeOfIssue, placeOfRemote } from '../../src/forge/place.ts';
import { ForgeRefused } from '../../src/forge/refused.ts';

describe('the address of a remote', () => {
  test.each([
    ['https://github.com/team/shop.git', 'github.com', 'team/shop', false],
    ['https://person:secret@github.com/team/shop', 'github.com', 'team/shop', false],
    ['git@github.com:team/shop.git', 'github.com', 'team/shop', false],
    [
      'ssh://git@git.example.org:2222/group/sub/shop.git/',
      'git.example.org',
      'group/sub/shop',
      false,
    ],
    ['http://127.0.0.1:3000/team/shop.git', '127.0.0.1:3000', 'team/shop', true],
    ['HTTPS://GitHub.com/Team/Shop', 'github.com', 'Team/Shop', false],
  ])('%s', (remote, host, path, isPlain) => {
    expect(placeOfRemote(remote)).toEqual({ host, path, isPlain });
  });

  test.each([
    '/srv/shop.git',
    '../shop',
    'file:///srv/team/shop.git',
    'https://github.com/shop',
    'https://github.com/team/../../shop',
    'ext::sh -c true',
    'https://github.com/team/shop?x=%2e%2e',
    '',
  ])('PULL-8 that is none of a forge is refused: %s', (remote) => {
    const place = placeOfRemote(remote);
    expect(place === null || !place.path.split('/').includes('..')).toBe(true);
    if (!remote.includes('?')) expect(place === null || place.path === 'shop').toBe(true);
  });

  test('PULL-8 never names a path that leads elsewhere', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), (remote) => {
        const place = placeOfRemote(remote);
        if (place === null) return;
        expect(place.path).toMatch(/^[\w.-]+(\/[\w.-]+)+$/);
        expect(place.path.split('/').every((part) => !/^\.+$/.test(part))).toBe(true);
      }),
    );
  });
});

describe('the address of an issue', () => {
  test('is copied from the browser', () => {
    expect(placeOfIssue('https://github.com/team/shop/issues/7')).toMatchObject({
      ...{ host: 'github.com', path: 'team/shop', number: 7 },
    });
    expect(placeOfIssue('https://gitlab.com/a/b/shop/-/issues/12')).toMatchObject({
      ...{ host: 'gitlab.com', path: 'a/b/shop', number: 12 },
    });
  });

  test.each(['https://github.com/team/shop/pull/7', 'issues/7', 'file:///team/shop/issues/7'])(
    'PULL-9 %s is refused with the form that is wanted',
    (address) => {
      expect(() => placeOfIssue(address)).toThrow(ForgeRefused);
    },
  );
});

describe('PULL-4 a token', () => {
  const place = { host: 'git.example.org', path: 'team/shop', isPlain: false };

  test('goes to no host that the environment does not name', () => {
    const tokens = { GITHUB_TOKEN: 'a', GITLAB_TOKEN: 'b', GITEA_TOKEN: 'c' };
    expect(() => openForge(place, tokens)).toThrow(/what kind of forge/);
    const other = { ...tokens, GITEA_HOST: 'git.example.org:3000' };
    expect(() => openForge(place, other)).toThrow(/what kind of forge/);
    expect(openForge(place, { ...tokens, GITEA_HOST: 'git.example.org' }).token).toBe('c');
  });

  test('goes over http to no other machine, whatever the remote says', () => {
    const plain = { host: 'github.com', path: 'team/shop', isPlain: true };
    expect(() => openForge(plain, { GITHUB_TOKEN: 'a' })).toThrow(/github\.com is http/);
    const named = { GITEA_HOST: 'git.example.org', GITEA_TOKEN: 'c' };
    expect(() => openForge({ ...place, isPlain: true }, named)).toThrow(/is http/);
    const own = { GITEA_HOST: '127.0.0.1:3000', GITEA_TOKEN: 'c' };
    expect(openForge({ ...plain, host: '127.0.0.1:3000' }, own).token).toBe('c');
  });

  test('that is missing is asked for by its name', () => {
    expect(() => openForge({ ...place, host: 'github.com' }, {})).toThrow(
      /no token for github.com/,
    );
  });
});
