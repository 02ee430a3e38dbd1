/** A small bar for each minute; minutes without a measurement have none. */
export function Spark(props: {
  readonly values: readonly (number | null)[];
  readonly tone: 'bad' | 'warn' | 'mute';
  /** The content in words. */
  readonly text: string;
}) {
  const { values, tone, text } = props;
  const highest = Math.max(4, ...values.map((value) => value ?? 0));
  return (
    <svg className="spark" viewBox="0 0 96 22" role="img" aria-label={text}>
      <title>{text}</title>
      {values.map((value, minute) => {
        if (value === null) return null;
        const height = Math.max(1.5, (value / highest) * 21);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the minute.
            key={minute}
            x={minute * 4.8}
            y={22 - height}
            width="3.4"
            height={height}
            rx="0.8"
            fill={value > 0 ? `var(--${tone}-fill)` : 'var(--control)'}
          />
        );
      })}
    </svg>
  );
}
