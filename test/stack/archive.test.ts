import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readTarEntry, readZipEntry } from '../../src/stack/archive.ts';

/** Made by Python's tarfile and zipfile. */
const ARCHIVES = {
  tar: 'H4sIAGk9A2sC/+3TsQ5EQBSF4fsonsAis9QSSo03mMREY0Iu3t9QyfYrxP815+Y0tzptXVZNHftO/icJcmOODH4zKE733hdZlkqUyAXWebEaXso7qbNd5J3gneLP4vw0qh1utf/cfNn/FSYde7WeIQAAAAAAAAAAAAAAADzUBjSSQFQAKAAA',
  tarLink:
    'H4sIAGk9A2sC/+3OQQrCMAAEwDzFHzRKm/9EEBTaKkn8v6HHeu6hMHPZve22x/J5lzyHA8UujeOW3T7/+zWmNIXLbbi/1qE+j/wWvrXl0ucDAAAAAAAAAAAAnMcPrnkk/gAoAAA=',
  tarBeside:
    'H4sIAGk9A2sC/+3TMQrCQBQE0D1KbuAaYnKeRYKNIWFdweO7WklArEyT95oZfjPVL+O0zDldwx/Fqu+6d1brrIaP/roPp2MMTQwbuN9KynUy7NOS50tOU2CfHhts/P7/de+H2IamPYzl7P8BAAAAAAAAAOCrJyK0vIkAKAAA',
  tarUp:
    'H4sIAGk9A2sC/+3NMQ6CQBQE0H8UT4AEiXueLQwNBLLg/V2tjD0kxPeamUwzTXPdHtMylzzGXtrq3vefrH6zSl/9vafU3eLSxgGe65ZLvYz/tJR5KHkKAAAAAAAAAAAAzuUFdEOueAAoAAA=',
  zip: 'UEsDBBQAAAAAAAAAIQCzJE6WCAAAAAgAAAAIAAAAYS9zdG9yZWRhcyBpdCBpc1BLAwQUAAAACAAAACEAVTNMHAwAAAA/AAAACgAAAGEvdGVtcG9yYWwrKMpPL0rMLSCTAgBQSwECFAMUAAAAAAAAACEAsyROlggAAAAIAAAACAAAAAAAAAAAAAAAgAEAAAAAYS9zdG9yZWRQSwECFAMUAAAACAAAACEAVTNMHAwAAAA/AAAACgAAAAAAAAAAAAAAgAEuAAAAYS90ZW1wb3JhbFBLBQYAAAAAAgACAG4AAABiAAAAAAA=',
  zipLink:
    'UEsDBBQAAAAIAAAAIQDUbxTaCQAAAAcAAAAKAAAAYS90ZW1wb3JhbNNPyszTL84AAFBLAQIUAxQAAAAIAAAAIQDUbxTaCQAAAAcAAAAKAAAAAAAAAAAAAAD/oQAAAABhL3RlbXBvcmFsUEsFBgAAAAABAAEAOAAAADEAAAAAAA==',
  zipUp:
    'UEsDBBQAAAAIAAAAIQCDFtyMAwAAAAEAAAANAAAALi4vYS90ZW1wb3JhbKsAAFBLAQIUAxQAAAAIAAAAIQCDFtyMAwAAAAEAAAANAAAAAAAAAAAAAACAAQAAAAAuLi9hL3RlbXBvcmFsUEsFBgAAAAABAAEAOwAAAC4AAAAAAA==',
} as const;

const bytes = (name: keyof typeof ARCHIVES): Buffer => Buffer.from(ARCHIVES[name], 'base64');

describe('of an archive, one file is taken out', () => {
  test('of tar, packed or not', async () => {
    expect(String(await readTarEntry(bytes('tar'), 'temporal'))).toBe('program');
    expect(String(await readTarEntry(gunzipSync(bytes('tar')), 'README.md'))).toBe('read me');
  });

  test('of zip, stored or deflated', async () => {
    expect(String(await readZipEntry(bytes('zip'), 'a/temporal'))).toBe('program'.repeat(9));
    expect(String(await readZipEntry(bytes('zip'), 'a/stored'))).toBe('as it is');
  });

  test.each(['tarLink', 'tarBeside', 'tarUp'] as const)('%s is refused', async (name) => {
    await expect(readTarEntry(bytes(name), 'temporal')).rejects.toThrow('no plain file');
  });

  test('a zip with a link, or with a name that leads out of it, is refused', async () => {
    await expect(readZipEntry(bytes('zipLink'), 'a/temporal')).rejects.toThrow('no plain file');
    await expect(readZipEntry(bytes('zipUp'), 'a/temporal')).rejects.toThrow('relative path');
  });

  test('what it does not hold, and what is no archive, is an error', async () => {
    await expect(readTarEntry(bytes('tar'), 'other')).rejects.toThrow('holds no other');
    await expect(readZipEntry(bytes('zip'), 'other')).rejects.toThrow('holds no other');
    await expect(readTarEntry(Buffer.from('x'.repeat(2000)), 'temporal')).rejects.toThrow();
    await expect(readZipEntry(Buffer.from('x'.repeat(2000)), 'temporal')).rejects.toThrow();
    await expect(readTarEntry(bytes('tar').subarray(0, 90), 'temporal')).rejects.toThrow();
  });
});
