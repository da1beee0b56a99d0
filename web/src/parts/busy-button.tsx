import type { ComponentProps } from 'preact';

interface BusyButtonProps extends Omit<ComponentProps<'button'>, 'onClick'> {
  readonly isBusy: boolean;
  readonly onClick?: (event: MouseEvent & { readonly currentTarget: HTMLButtonElement }) => void;
}

/** A button that does nothing while work is done. It keeps the focus meanwhile, which a disabled button loses. */
export function BusyButton({ isBusy, onClick, children, ...rest }: BusyButtonProps) {
  return (
    <button
      {...rest}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        // Without its click a button sends no form either, also by Enter in a field.
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
    </button>
  );
}
