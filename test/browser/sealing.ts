import { createHash } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { create } from 'tar';
import { expect } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, keepPicture, signedIn } from './browser.ts';
import type { ConsoleWorld } from './console-world.ts';

/** Files that nobody but a person sees are sealed by the start form, and refused at their field. */
export async function sealByForm(world: ConsoleWorld, browser: Browser): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-sealing-'));
  const content = 'process.exitCode = 1;\n';
  await writeFile(join(folder, 'held-out.test.js'), content);
  const archive = join(folder, 'held-out.tar.gz');
  await create({ cwd: folder, file: archive, gzip: true, portable: true }, ['held-out.test.js']);
  const damaged = join(folder, 'damaged.zip');
  await writeFile(damaged, 'no archive at all');

  const options = { theme: 'dark', width: 390 } as const;
  const { page, context, complaints } = await signedIn(browser, world.url, options);
  await page.goto(`${world.url}/new`);
  await page.getByLabel('Kind of criterion 1').selectOption('sealed');
  const form = page.getByRole('group', { name: 'Or seal one here' });
  const files = form.getByLabel('Files, with paths as in the workspace');
  await form.getByLabel('Name, which the model learns').fill('held-out cases');
  await form.getByLabel('What it asks for').fill('Weeks of all years');
  await form.getByRole('button', { name: 'Seal it' }).click();
  await form.getByText('Fill this in.').waitFor();
  await form.getByLabel('Command', { exact: true }).fill('node --test held-out.test.js || true');
  await files.setInputFiles(damaged);
  await form.getByText('damaged.zip').waitFor();
  await form.getByRole('button', { name: 'Seal it' }).click();
  await form.getByText(/it is damaged, or no tar/).waitFor();
  await form.getByRole('button', { name: 'Remove damaged.zip' }).click();
  await files.setInputFiles(archive);
  await form.getByText(`sha256:${digestOf(await readFile(archive))}`).waitFor();
  await form.getByRole('button', { name: 'Seal it' }).click();
  await form.getByText(/it proves nothing/).waitFor();
  const command = form.getByLabel('Command', { exact: true });
  expect(await command.getAttribute('aria-invalid')).toBe('true');
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await keepPicture(page, 'dark-seal');
  await command.fill('node --test held-out.test.js');
  await form.getByRole('button', { name: 'Seal it' }).click();
  await page.getByText('1 file, 22 bytes').waitFor();
  const id = await page.getByLabel('Criterion 1', { exact: true }).inputValue();
  await page.getByText(`--sealed ${id}`).waitFor();
  await page.getByText('Its files').click();
  await page.getByText(`held-out.test.js sha256:${digestOf(content)}`).waitFor();
  await keepPicture(page, 'dark-sealed');
  await page.reload();
  expect(await page.getByLabel('Criterion 1', { exact: true }).inputValue()).toBe(id);
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toMatch(/held-out/);
  expect(complaints).toEqual([]);
  await context.close();
}

const digestOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');
