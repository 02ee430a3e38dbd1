import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

/** A mutation that a second press doesn't repeat while the first one is under way. */
export function useAct<Data, Given = void>(options: UseMutationOptions<Data, Error, Given>) {
  const { mutateAsync, mutate: _, ...state } = useMutation(options);
  // A page is drawn again only after both presses of a double click.
  const isUnderWay = useRef(false);
  const mutate = useCallback(
    (given: Given): void => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      const isOver = () => {
        isUnderWay.current = false;
      };
      mutateAsync(given).then(isOver, isOver);
    },
    [mutateAsync],
  );
  return { ...state, mutate };
}

/** A mutation for files: those that come while others are under way are more of them. */
export const useFiles = useMutation;
