import { expect, test } from 'vitest';
import { hostsOf, placesIn } from '../../src/store/database-url.ts';

test('HOSTS-1 a URL names one host or several, as libpq reads it', () => {
  expect(hostsOf('postgresql://u:p@db/goalkeeper?sslmode=require')).toEqual([
    { host: 'db', port: 5432, url: 'postgresql://u:p@db/goalkeeper?sslmode=require' },
  ]);
  const several =
    'postgres://u:p%40@one:5433,two/x?sslmode=require&target_session_attrs=read-write';
  expect(hostsOf(several)).toEqual([
    { host: 'one', port: 5433, url: 'postgres://u:p%40@one:5433/x?sslmode=require' },
    { host: 'two', port: 5432, url: 'postgres://u:p%40@two/x?sslmode=require' },
  ]);
  expect(placesIn(several)).toBe('one:5433,two');
});

test.each([
  'mysql://u@h/d',
  'postgresql://u@one,two/d',
  'postgresql://u@one,two/d?target_session_attrs=any',
  'postgresql://u@one,two/d?target_session_attrs=standby',
  'postgresql://u@one,,two/d?target_session_attrs=primary',
  'postgresql://u@one:99999,two/d?target_session_attrs=primary',
  'not a url',
])(
  'HOSTS-2 %s is not usable: several hosts have to say that the one which takes writes is meant',
  (url) => {
    expect(hostsOf(url)).toBeNull();
  },
);
