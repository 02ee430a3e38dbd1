/** A value that tints for a moment when it changed; its place stays. */
export function Ticking({ text }: { readonly text: string }) {
  return (
    <span key={text} className="flash">
      {text}
    </span>
  );
}
