import type { ReactElement, ReactNode, SVGProps } from 'react';

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Width and height, in pixels. */
  readonly size?: number;
  /** How wide its lines are, where the drawing has 24 units. */
  readonly stroke?: number;
}

/**
 * An icon of Tabler's outlines, in the colour of the text around it.
 * @public `scripts/console-icons.ts` writes its uses.
 */
export function drawn(paths: ReactNode): (props: IconProps) => ReactElement {
  return ({ size = 24, stroke = 2, ...rest }) => (
    // biome-ignore lint/a11y/noSvgWithoutTitle: whoever shows it says what it means, or hides it.
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    >
      {paths}
    </svg>
  );
}
