import { useEffect, useRef } from 'react';

/**
 * An image, drawn: a page of the console loads images from nowhere, and a request for one carries
 * the session's second secret, which only a script can send.
 */
export function Picture(props: {
  readonly blob: Blob;
  readonly alt: string;
  /** Pixels of the longer side. */
  readonly most: number;
}) {
  const { blob, alt, most } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isGone = false;
    void createImageBitmap(blob)
      .then((bitmap) => {
        if (!isGone && canvas.current !== null) draw(bitmap, canvas.current, most);
        bitmap.close();
      })
      // A browser that can't decode it shows its name.
      .catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [blob, most]);
  return (
    <canvas ref={canvas} className="picture" role="img" aria-label={alt} width={0} height={0} />
  );
}

function draw(bitmap: ImageBitmap, canvas: HTMLCanvasElement, most: number): void {
  const scale = Math.min(1, (most * devicePixelRatio) / Math.max(bitmap.width, bitmap.height));
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.style.width = `${Math.round(canvas.width / devicePixelRatio)}px`;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
}
