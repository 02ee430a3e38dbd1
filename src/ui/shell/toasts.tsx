import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

const SHOWN_MS = 5000;

const ToastContext = createContext<(text: string) => void>(() => {});

export const useToast = () => useContext(ToastContext);

interface Toast {
  readonly id: number;
  readonly text: string;
}

let last = 0;

/** Notices of what happened, in one polite live region. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const show = useCallback((text: string) => {
    last += 1;
    const toast = { id: last, text };
    setToasts((shown) => [...shown.slice(-2), toast]);
    setTimeout(() => setToasts((shown) => shown.filter(({ id }) => id !== toast.id)), SHOWN_MS);
  }, []);
  return (
    <ToastContext value={show}>
      {children}
      <div id="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, text }) => (
          <div key={id} className="toast">
            {text}
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
