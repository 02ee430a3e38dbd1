import { bytes } from '../../view/format.ts';
import { type Archive, MOST_ARCHIVE_BYTES } from '../../view/seal-form.ts';

/** @throws Error that says what is wrong with the file, and the way out */
export async function readArchive(file: File): Promise<Archive> {
  if (file.size > MOST_ARCHIVE_BYTES) {
    throw new Error(
      `${file.name} has ${bytes(file.size)}: at most ${bytes(MOST_ARCHIVE_BYTES)} are sealed.`,
    );
  }
  try {
    const [content, base64] = await Promise.all([file.arrayBuffer(), base64Of(file)]);
    return { name: file.name, bytes: file.size, sha256: await sha256Of(content), base64 };
  } catch (cause) {
    const why = `The browser can’t read ${file.name}: pack a folder as tar, tar.gz or zip.`;
    throw new Error(why, { cause });
  }
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

async function sha256Of(content: ArrayBuffer): Promise<string | null> {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (subtle === undefined) return null;
  const digest = new Uint8Array(await subtle.digest('SHA-256', content));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
