import type { ComponentProps } from 'react';

interface ButtonLook {
  /**
   * primary = the act of a view; keeper = what waits for the user; danger = what takes something
   * away; subtle = beside what it belongs to.
   */
  readonly look?: 'primary' | 'keeper' | 'danger' | 'subtle' | undefined;
  readonly isSmall?: boolean;
  /** It shows an icon alone, so it needs an `aria-label`. */
  readonly isIcon?: boolean;
}

/** The looks of a button, also for links. */
export function buttonClass({ look, isSmall, isIcon }: ButtonLook, more?: string): string {
  const small = isSmall === true ? 'small' : undefined;
  const icon = isIcon === true ? 'icon-only' : undefined;
  return ['button', look, small, icon, more].filter((name) => name !== undefined).join(' ');
}

/** A button that looks like one. */
export function Button({
  look,
  isSmall = false,
  isIcon = false,
  className,
  ...rest
}: ComponentProps<'button'> & ButtonLook) {
  return (
    <button type="button" {...rest} className={buttonClass({ look, isSmall, isIcon }, className)} />
  );
}

/** A button that looks like the row, the text or the tag that it is. */
export function PlainButton({ className, ...rest }: ComponentProps<'button'>) {
  const classes = className === undefined ? 'plain-button' : `plain-button ${className}`;
  return <button type="button" {...rest} className={classes} />;
}
