import type { FormatName } from '../../schema/text.ts';

/**
 * What a pattern can't tell has a name in the OpenAPI document; these are texts that it names. The
 * fuzzer sends them too, so a format without any is a type error, and not a request that it gets
 * wrong.
 */
export const FORMAT_SAMPLES: Readonly<Record<FormatName, readonly string[]>> = {
  'path-glob': ['src/**', '*.ts', ' docs/{a,b}.md ', '../other/*', '\\!x'],
  'scope-glob': ['src/**', 'test/*.ts', 'a b', './x'],
  'command-glob': ['git push *', 'npm test', 'rm -rf ?'],
  'tool-glob-of-run-command': ['run_command', 'run_*', '*', '?un_command'],
  commit: ['main', ' v1.0 ', 'merge-base:main'],
  domain: ['example.org', '*.example.org', 'example.org:8443', '203.0.113.7', '[2001:db8::1]:443'],
  'file-name': ['chart.png', 'notes 1.txt', 'é'],
  'one-line': ['One line', 'é'],
  'http-url': ['https://example.com/hook?x=1', 'http://10.0.0.1:8080'],
  'regular-expression': ['^a+$', 'x', '[0-9]{2}'],
  'time-zone': ['UTC', 'Europe/Berlin', 'America/New_York'],
  'json-path': ['$', '$.commits[0].id', "$['a b']"],
  cron: ['0 6 * * 1', '*/15 8-18 * * MON-FRI', '30 2 1 JAN *'],
};
