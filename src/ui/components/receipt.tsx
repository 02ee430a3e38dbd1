import { useSearchParams } from 'wouter';
import { PlainButton } from './button.tsx';

/** One click from a claim to the row of the ledger that backs it. */
export function Receipt({ seq }: { readonly seq: number }) {
  const [, setSearch] = useSearchParams();
  const open = () =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      after.set('call', String(seq));
      return after;
    });
  return (
    <PlainButton className="receipt-link" onClick={open} title="Open in the ledger">
      #{seq}
    </PlainButton>
  );
}
